package server

import (
	"context"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/server/api"
)

// TestAssumed: what could decide and is not known to be absent is assumed to be, once, and
// only of what it could decide.
func TestAssumed(t *testing.T) {
	const group = "admissionregistration.k8s.io"
	all := func(kinds ...string) []api.Listed {
		var out []api.Listed
		for _, kind := range kinds {
			out = append(out, api.Listed{Kind: schema.GroupKind{Group: group, Kind: kind}})
		}
		return out
	}
	judges := all(
		"ValidatingAdmissionPolicy", "MutatingAdmissionPolicy", "ValidatingWebhookConfiguration",
		"MutatingWebhookConfiguration",
	)
	quotas := api.Listed{Kind: schema.GroupKind{Kind: "ResourceQuota"}, Namespace: "default"}
	limits := api.Listed{Kind: schema.GroupKind{Kind: "LimitRange"}, Namespace: "default"}
	object := func(apiVersion, kind string) []byte {
		return fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,"metadata":{"name":"x","namespace":"default"}}`, apiVersion, kind)
	}
	const everything = "Assumes no admission policies, webhooks, quotas or limit ranges: none are in dump.yaml."
	role := `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: c}}`
	config := `{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}`
	pod := `{apiVersion: v1, kind: Pod, metadata: {name: c}, spec: {containers: [{name: c, image: x}]}}`
	webhooks := `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: c}}`
	for name, c := range map[string]struct {
		listed  []api.Listed
		objects [][]byte
		body    string
		verb    api.Verb
		want    string
	}{
		"nothing is known":               {body: role, want: everything},
		"all was asked for":              {listed: append(judges[:4:4], quotas, limits), body: pod},
		"no policies and webhooks":       {listed: judges, body: role},
		"quotas count what is created":   {listed: judges, body: config, want: "Assumes no quotas or limit ranges: none are in dump.yaml."},
		"and nothing that is there":      {listed: judges, body: config, verb: api.Update},
		"of other namespaces":            {listed: append(judges[:4:4], api.Listed{Kind: schema.GroupKind{Kind: "ResourceQuota"}, Namespace: "other"}), body: config},
		"webhooks are not known":         {listed: judges[:2], body: role, want: "Assumes no webhooks, quotas or limit ranges: none are in dump.yaml."},
		"some webhooks are":              {listed: judges[:3], body: role, want: "Assumes no mutating webhooks, quotas or limit ranges: none are in dump.yaml."},
		"some policies are":              {listed: append(judges[2:4:4], judges[0]), body: role, want: "Assumes no mutating admission policies, quotas or limit ranges: none are in dump.yaml."},
		"any object of the kind":         {listed: judges[:3], objects: [][]byte{object(group+"/v1", "MutatingWebhookConfiguration")}, body: role},
		"policies without bindings":      {listed: judges[1:], objects: [][]byte{object(group+"/v1", "ValidatingAdmissionPolicy")}, body: role, want: "Assumes no validating admission policies, quotas or limit ranges: none are in dump.yaml."},
		"bindings are enough":            {listed: append(judges[1:4:4], all("ValidatingAdmissionPolicyBinding")...), body: role},
		"webhooks do not judge webhooks": {listed: judges[:2], body: webhooks},
		"policies do":                    {listed: judges[2:], body: webhooks, want: "Assumes no admission policies, quotas or limit ranges: none are in dump.yaml."},
		"policies change no deletion":    {listed: append(judges[2:4:4], judges[0]), body: config, verb: api.Delete},
	} {
		server := newServer(t, Options{Objects: c.objects, Listed: c.listed, LookedFor: "in dump.yaml"})
		var head struct{ APIVersion, Kind string }
		if err := yaml.Unmarshal([]byte(c.body), &head); err != nil {
			t.Fatal(err)
		}
		request := api.Request{
			Verb:    api.Apply,
			Kind:    schema.FromAPIVersionAndKind(head.APIVersion, head.Kind),
			Name:    "c",
			Manager: "m",
			Body:    yamlAsJSON(t, c.body),
		}
		if server.Resource(request.Kind).Namespaced {
			request.Namespace = "default"
		}
		if c.verb != "" {
			request.Verb, request.Live = c.verb, request.Body
		}
		if c.verb == api.Delete {
			request.Body = nil
		}
		// What a run writes shows nothing of what the cluster has.
		server.Learn(object(group+"/v1", "MutatingWebhookConfiguration"))
		response, err := server.Do(context.Background(), request)
		if err != nil || response.Code >= 300 {
			t.Fatalf("%s: %d %s, %v", name, response.Code, response.Body, err)
		}
		got := ""
		for _, caveat := range response.Unsimulated {
			if caveat.Rule == api.NotGiven {
				got += caveat.Message
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
