package risk

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

const admissions = "admissionregistration.k8s.io"

var apiService = schema.GroupKind{Group: "apiregistration.k8s.io", Kind: "APIService"}

// callerKinds are the kinds of objects that have the API server call a Service.
var callerKinds = map[schema.GroupKind]bool{
	{Group: admissions, Kind: "ValidatingWebhookConfiguration"}: true,
	{Group: admissions, Kind: "MutatingWebhookConfiguration"}:   true,
	api.CustomResourceDefinition:                                true, apiService: true,
}

// calls are the Services, by namespace and name, without which requests fail because of an object, with
// which requests these are.
func calls(kind schema.GroupKind, object map[string]any) map[[2]string]text.Text {
	out := map[[2]string]text.Text{}
	add := func(service any, says text.Text) {
		ref, _ := service.(map[string]any)
		key := [2]string{objects.Text(ref, "namespace"), objects.Text(ref, "name")}
		if _, known := out[key]; key[1] != "" && !known {
			out[key] = says
		}
	}
	switch {
	case !callerKinds[kind]:
	case kind == api.CustomResourceDefinition:
		add(fieldtree.Value(object, "spec", "conversion", "webhook", "clientConfig", "service"),
			text.New("converts objects through the Service: requests at other versions than the stored one fail"))
	case kind == apiService:
		add(fieldtree.Value(object, "spec", "service"), text.New("is served by the Service: all requests to that API fail"))
	default:
		for _, webhook := range objects.Maps(objects.List(object, "webhooks")) {
			if policy := objects.Text(webhook, "failurePolicy"); policy == "Ignore" {
				continue
			}
			add(fieldtree.Value(webhook, "clientConfig", "service"),
				text.New("calls the Service for %v, and fails closed: those requests are refused", asked(webhook)))
		}
	}
	return out
}

// asked says what a webhook is called for.
func asked(webhook map[string]any) text.Text {
	var out []string
	for _, rule := range objects.Maps(objects.List(webhook, "rules")) {
		for _, resource := range objects.Texts(objects.List(rule, "resources")) {
			if strings.HasPrefix(resource, "*") {
				return text.New("all resources")
			}
			if !slices.Contains(out, resource) {
				out = append(out, resource)
			}
		}
	}
	if len(out) == 0 {
		return text.New("no resource")
	}
	return text.List(out, maxNamed, text.Name)
}

// callersFail says of a deleted Service which requests to the API server fail without it.
func (f *finder) callersFail(others *Others, going Going) text.Text {
	if f.kind() != (schema.GroupKind{Kind: "Service"}) || f.Recreated || f.Operation != report.Delete && !f.Deleted {
		return text.Text{}
	}
	var says text.Text
	for _, c := range others.callers[[2]string{f.Target.Namespace, f.Target.Name}] {
		if !going(c.kind, "", c.name) {
			says = says.And("; ", text.New("%v %v", text.Name(strings.ToLower(c.kind.Kind)+"/"+c.name), c.says))
		}
	}
	return says
}
