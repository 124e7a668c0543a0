package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

// served are kinds as a server has them.
type served map[schema.GroupVersionKind]api.Resource

func (s served) Resource(kind schema.GroupVersionKind) api.Resource { return s[kind] }

func (s served) Kinds() []schema.GroupVersionKind {
	var out []schema.GroupVersionKind
	for kind := range s {
		out = append(out, kind)
	}
	return out
}

var builtIn = served{
	{Group: "apps", Version: "v1", Kind: "Deployment"}: {
		Known:        true,
		Resource:     "deployments",
		Namespaced:   true,
		Subresources: []string{"scale", "status"},
	},
	{Version: "v1", Kind: "ConfigMap"}: {
		Known:      true,
		Resource:   "configmaps",
		Namespaced: true,
	},
	{Version: "v1", Kind: "Namespace"}: {
		Known:    true,
		Resource: "namespaces",
	},
	{Version: "v1", Kind: "ResourceQuota"}: {
		Known:      true,
		Resource:   "resourcequotas",
		Namespaced: true,
	},
	{Group: "storage.k8s.io", Version: "v1", Kind: "StorageClass"}: {
		Known:    true,
		Resource: "storageclasses",
	},
	{Group: "autoscaling", Version: "v2", Kind: "HorizontalPodAutoscaler"}: {
		Known:      true,
		Resource:   "horizontalpodautoscalers",
		Namespaced: true,
	},
	{Group: "admissionregistration.k8s.io", Version: "v1beta1", Kind: "MutatingAdmissionPolicy"}: {
		Known:    true,
		Resource: "mutatingadmissionpolicies",
	},
	{Group: "given.example.com", Version: "v1", Kind: "Widget"}: {
		Known:      true,
		Custom:     true,
		Resource:   "widgets",
		Namespaced: true,
	},
}

var (
	deployment = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	configMap  = schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}
	namespace  = schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}
	widget     = schema.GroupVersionKind{Group: "given.example.com", Version: "v1", Kind: "Widget"}
	gadget     = schema.GroupVersionKind{Group: "unknown.example.com", Version: "v2", Kind: "Gadget"}
)

// line is a fetch in one line: reason, scope, types with names.
func line(f Fetch) string {
	scope := "-n " + f.Namespace
	switch {
	case f.AllNamespaces:
		scope = "-A"
	case f.Namespace == "":
		scope = "-"
	}
	text := fmt.Sprintf("%s %s", f.Reason, scope)
	if f.Optional {
		text += " optional"
	}
	for _, w := range f.Wanted {
		text += " " + w.Type
		if len(w.Names) > 0 {
			text += "/" + strings.Join(w.Names, ",")
		}
	}
	return text
}

func lines(fetches []Fetch) []string {
	var out []string
	for _, f := range fetches {
		out = append(out, line(f))
	}
	return out
}

func TestNeeds(t *testing.T) {
	for name, c := range map[string]struct {
		request Request
		want    []string
	}{
		"nothing": {},
		"objects of one namespace are one fetch, each once": {
			Request{Subjects: []Subject{{configMap, "shop", "b"}, {configMap, "shop", "a"}, {configMap, "shop", "b"}}},
			[]string{"Manifests -n shop configmaps/a,b"},
		},
		"one whose name the server makes has no live object": {
			Request{Subjects: []Subject{{configMap, "shop", ""}}},
			nil,
		},
		"namespaces are apart, and cluster-scoped objects first": {
			Request{Subjects: []Subject{{configMap, "b", "x"}, {configMap, "a", "y"}, {namespace, "", "a"}}},
			[]string{"Manifests - namespaces/a", "Manifests -n a configmaps/y", "Manifests -n b configmaps/x"},
		},
		"what may have replicas has autoscalers": {
			Request{Subjects: []Subject{{deployment, "shop", "web"}}},
			[]string{
				"Definitions - customresourcedefinitions.apiextensions.k8s.io/canaries.flagger.app,scaledobjects.keda.sh," +
					"verticalpodautoscalers.autoscaling.k8s.io",
				"Manifests -n shop deployments.apps/web",
				"Writers -n shop horizontalpodautoscalers.autoscaling",
				"Writers -n shop optional canaries.flagger.app",
				"Writers -n shop optional scaledobjects.keda.sh",
				"Writers -n shop optional verticalpodautoscalers.autoscaling.k8s.io",
			},
		},
		"the settings of the client are in any namespace, last": {
			Request{Subjects: []Subject{{configMap, "shop", "a"}}, Settings: schema.GroupKind{Group: "argoproj.io", Kind: "Application"}},
			[]string{
				"Definitions - customresourcedefinitions.apiextensions.k8s.io/applications.argoproj.io",
				"Manifests -n shop configmaps/a",
				"Settings -A optional applications.argoproj.io",
			},
		},
		"a custom kind stands apart, at its version, with its definition": {
			Request{Subjects: []Subject{{widget, "shop", "w"}, {gadget, "", "g"}, {configMap, "shop", "a"}}},
			[]string{
				"Definitions - customresourcedefinitions.apiextensions.k8s.io/gadgets.unknown.example.com,scaledobjects.keda.sh,verticalpodautoscalers.autoscaling.k8s.io,widgets.given.example.com",
				"Manifests -n shop configmaps/a",
				"Manifests -n shop Widget.v1.given.example.com/w",
				"Manifests -n default Gadget.v2.unknown.example.com/g",
			},
		},
		"admission: namespaces with the one that is always there, policies that may lack apart": {
			Request{Subjects: []Subject{{configMap, "shop", "a"}, {namespace, "", "new"}}, LookedUp: []schema.GroupKind{
				{Kind: "ResourceQuota"}, {Kind: "Namespace"}, {Group: "storage.k8s.io", Kind: "StorageClass"},
				{Group: "admissionregistration.k8s.io", Kind: "MutatingAdmissionPolicy"},
			}},
			[]string{
				"Manifests - namespaces/new", "Manifests -n shop configmaps/a",
				"Admission - namespaces/default,shop", "Admission - storageclasses.storage.k8s.io",
				"Admission - optional mutatingadmissionpolicies.admissionregistration.k8s.io",
				"Admission -n new resourcequotas", "Admission -n shop resourcequotas",
			},
		},
		"-A: all of the kinds, names or not": {
			Request{AllNamespaces: true, Subjects: []Subject{{configMap, "shop", "a"}, {configMap, "b", ""}}, LookedUp: []schema.GroupKind{{Kind: "ResourceQuota"}}},
			[]string{"Manifests -A configmaps", "Admission -A resourcequotas"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c.request.Server = builtIn
			got := lines(Needs(c.request))
			// What may write to a kind is the business of ownership/writers.
			got = slices.DeleteFunc(got, func(l string) bool {
				return strings.HasPrefix(l, "Writers") && !slices.Contains(c.want, l)
			})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestCommandsAreShort: no command names more objects than one can, and none is lost.
func TestCommandsAreShort(t *testing.T) {
	var subjects []Subject
	want := map[string]bool{}
	for i := range 3*mostNames + 7 {
		kind, name := configMap, fmt.Sprintf("n%04d", i)
		if i%3 == 0 {
			kind = deployment
		}
		subjects = append(subjects, Subject{kind, "shop", name})
		want[kind.Kind+"/"+name] = true
	}
	got := map[string]bool{}
	for _, f := range Needs(Request{Subjects: subjects, Server: builtIn}) {
		count := 0
		for _, w := range f.Wanted {
			count += len(w.Names)
			if f.Reason != Manifests {
				continue
			}
			if len(w.Names) == 0 {
				t.Errorf("all objects are fetched: %s", line(f))
			}
			for _, name := range w.Names {
				got[w.Kind+"/"+name] = true
			}
		}
		if count > mostNames {
			t.Errorf("a command names %d objects", count)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParametersOf(t *testing.T) {
	type object = map[string]any
	policy := func(name string, param object) object {
		return object{"metadata": object{"name": name}, "spec": object{"paramKind": param}}
	}
	binding := func(policy string, ref object) object {
		return object{"spec": object{"policyName": policy, "paramRef": ref}}
	}
	limits := object{"apiVersion": "rules.example.com/v1", "kind": "Limit"}
	got := lines(ParametersOf([]object{
		policy("sizes", limits), policy("names", object{"apiVersion": "v1", "kind": "ConfigMap"}), policy("plain", nil),
		binding("sizes", object{"name": "small", "namespace": "rules"}),
		binding("sizes", object{"name": "big", "namespace": "rules"}),
		binding("names", object{"selector": object{}}),
		binding("names", object{"name": "one"}),
		binding("plain", nil),
		binding("absent", object{"name": "x"}),
	}, []string{"a", "b"}))
	want := []string{
		"Parameters -n a ConfigMap.v1.",
		"Parameters -n b ConfigMap.v1.",
		"Parameters -n rules Limit.v1.rules.example.com/big,small",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := ParametersOf([]object{policy("sizes", limits), binding("sizes", object{"name": "x"})}, nil); len(got) != 1 ||
		got[0].Namespace != "" {
		t.Errorf("without namespaces: %v", lines(got))
	}
}
