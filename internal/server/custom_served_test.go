package server

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

const gadgets = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"gadgets.lab.example.com"},"spec":{
	"group":"lab.example.com","scope":"Namespaced","names":{"plural":"gadgets","singular":"gadget","kind":"Gadget","listKind":"GadgetList"},
	"conversion":CONVERSION,
	"versions":[{"name":"v1","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}},
	{"name":"v2","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]},
	"status":{"conditions":[CONDITIONS]}}`

func gadgetDefinition(conversion string, conditions ...string) []byte {
	return []byte(
		strings.NewReplacer("CONVERSION", conversion, "CONDITIONS", strings.Join(conditions, ",")).Replace(gadgets),
	)
}

func condition(kind, status string) string {
	return `{"type":"` + kind + `","status":"` + status + `","reason":"R","message":"` + kind + ` it is"}`
}

func applyGadget(version string, live []byte) api.Request {
	return api.Request{
		Verb:      api.Apply,
		Kind:      schema.GroupVersionKind{Group: "lab.example.com", Version: version, Kind: "Gadget"},
		Namespace: "d",
		Name:      "g",
		Manager:   "m",
		Body: []byte(
			`{"apiVersion":"lab.example.com/` + version + `","kind":"Gadget","metadata":{"name":"g","namespace":"d"},"spec":{"a":1}}`,
		),
		Live: live,
	}
}

// TestEstablished: which definitions are served, their status says, as to upstream's
// handler; without a status they are about to be.
func TestEstablished(t *testing.T) {
	live := []byte(
		`{"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"name":"g","namespace":"d","uid":"u","resourceVersion":"1"},"spec":{"a":1}}`,
	)
	for name, c := range map[string]struct {
		conditions       []string
		creates, updates int
	}{
		"no status":        {nil, http.StatusCreated, http.StatusOK},
		"other conditions": {[]string{condition("NonStructuralSchema", "False")}, http.StatusCreated, http.StatusOK},
		"established":      {[]string{condition("NamesAccepted", "True"), condition("Established", "True")}, http.StatusCreated, http.StatusOK},
		"names refused":    {[]string{condition("NamesAccepted", "False"), condition("Established", "False")}, http.StatusNotFound, http.StatusNotFound},
		"refused alone":    {[]string{condition("NamesAccepted", "False")}, http.StatusNotFound, http.StatusNotFound},
		"not established":  {[]string{condition("Established", "False")}, http.StatusNotFound, http.StatusNotFound},
		"names accepted":   {[]string{condition("NamesAccepted", "True"), condition("Established", "False")}, http.StatusCreated, http.StatusOK},
		"names lost":       {[]string{condition("NamesAccepted", "False"), condition("Established", "True")}, http.StatusCreated, http.StatusOK},
		"terminating": {[]string{condition("NamesAccepted", "True"), condition("Established", "True"), condition("Terminating", "True")},
			http.StatusForbidden, http.StatusOK},
	} {
		server := newServer(t, Options{CRDs: [][]byte{gadgetDefinition(`{"strategy":"None"}`, c.conditions...)}})
		for _, write := range []struct {
			live []byte
			want int
		}{{nil, c.creates}, {live, c.updates}} {
			response, err := server.Do(context.Background(), applyGadget("v1", write.live))
			if err != nil || response.Code != write.want {
				t.Errorf("%s: %d %s, %v, want %d", name, response.Code, response.Body, err, write.want)
			}
		}
		r := server.Resource(applyGadget("v1", nil).Kind)
		if known := c.updates != http.StatusNotFound; r.Known != known || (r.Unestablished == "") != known {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// TestAdmissionConverts: where a policy or a webhook looks at another version, a
// conversion webhook is needed as much as to read the live object.
func TestAdmissionConverts(t *testing.T) {
	rules := `[{"apiGroups":["lab.example.com"],"apiVersions":["VERSION"],"resources":["gadgets"],"operations":["*"]}]`
	webhooks := func(kind, more string) string {
		return `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"` + kind + `","metadata":{"name":"w"},"webhooks":[{"name":"w.example.com","admissionReviewVersions":["v1"],
			"clientConfig":{"url":"https://example.com"},"sideEffects":"None","rules":` + rules + more + `}]}`
	}
	policy := func(more string) string {
		return `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy","metadata":{"name":"p"},"spec":{` + more + `
			"matchConstraints":{"resourceRules":` + rules + `},"validations":[{"expression":"object.spec.a > 0"}]}}`
	}
	binding := `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicyBinding","metadata":{"name":"p"},"spec":{"policyName":"p","validationActions":["Deny"]}}`
	webhook := `{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],"clientConfig":{"url":"https://example.com"}}}`
	for name, objects := range map[string][]string{
		"mutating webhook":              {webhooks("MutatingWebhookConfiguration", "")},
		"validating webhook":            {webhooks("ValidatingWebhookConfiguration", "")},
		"webhook that may fail":         {webhooks("ValidatingWebhookConfiguration", `,"failurePolicy":"Ignore"`)},
		"webhook with match conditions": {webhooks("MutatingWebhookConfiguration", `,"matchConditions":[{"name":"c","expression":"object.spec.a > 0"}]`)},
		"policy":                        {policy(""), binding},
		"policy that may fail":          {policy(`"failurePolicy":"Ignore",`), binding},
	} {
		for _, c := range []struct {
			conversion, judged string
			fails              bool
		}{{webhook, "v2", true}, {webhook, "v1", false}, {`{"strategy":"None"}`, "v2", false}} {
			options := Options{CRDs: [][]byte{gadgetDefinition(c.conversion)}}
			for _, o := range objects {
				options.Objects = append(options.Objects, []byte(strings.ReplaceAll(o, "VERSION", c.judged)))
			}
			server := newServer(t, options)
			response, err := server.Do(context.Background(), applyGadget("v1", nil))
			if (err != nil) != c.fails || err == nil && response.Code != http.StatusCreated {
				t.Errorf("%s for %s, conversion %s: %d %s, %v", name, c.judged, c.conversion, response.Code, response.Body, err)
			}
			if c.fails &&
				(err == nil || !strings.Contains(err.Error(), "a webhook converts between the versions of Gadget.lab.example.com")) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestLiveError: what is wrong with the live object is no answer of the server.
func TestLiveError(t *testing.T) {
	server := newServer(t, Options{CRDs: [][]byte{gadgetDefinition(`{"strategy":"None"}`)}})
	config := func(live string) api.Request {
		return api.Request{
			Verb:      api.Apply,
			Kind:      schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"},
			Namespace: "d",
			Name:      "c",
			Manager:   "m",
			Body:      []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":"b"}}`),
			Live:      []byte(live),
		}
	}
	entries := `"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1","time":"2024-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}]`
	for name, request := range map[string]api.Request{
		"label":               config(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","labels":{"a":true}}}`),
		"label, with entries": config(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","labels":{"a":true},` + entries + `}}`),
		"data, with entries":  config(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c",` + entries + `},"data":{"a":5}}`),
		"custom":              applyGadget("v1", []byte(`{"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"name":"g","namespace":"d","labels":{"a":true},"resourceVersion":"1"}}`)),
	} {
		for _, verb := range []api.Verb{api.Apply, api.Update, api.MergePatch, api.Delete} {
			request.Verb = verb
			if verb == api.Delete {
				request.Body = nil
			}
			response, err := server.Do(context.Background(), request)
			var unreadable *api.LiveError
			if !errors.As(err, &unreadable) {
				t.Errorf("%s, %s: %d %s, %v", name, verb, response.Code, response.Body, err)
			}
		}
	}
}
