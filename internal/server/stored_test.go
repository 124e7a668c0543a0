package server

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/api"
)

// TestStoredIsWhatAnApplyStores sends each spelling that a server normalises, as an apply,
// and compares what is stored of it with what Stored says beforehand.
func TestStoredIsWhatAnApplyStores(t *testing.T) {
	s := newServer(t, Options{})
	pod := func(spec, container string) string {
		return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"x","namespace":"default"},"spec":{"selector":{"matchLabels":{"a":"b"}},
			"template":{"metadata":{"labels":{"a":"b"}},"spec":{` + spec + `"containers":[{"name":"c","image":"i"` + container + `}]}}}}`
	}
	normalised := 0
	for _, body := range []string{
		pod(``, `,"resources":{"limits":{"cpu":"1000m","memory":"1024Mi"}}`),
		pod(``, `,"resources":{"limits":{"cpu":0.5,"memory":"1e3"},"requests":{"cpu":"100u"}}`),
		pod(``, `,"resources":{}`),
		pod(`"hostNetwork":false,`, ``),
		pod(`"nodeSelector":{},"tolerations":[],`, ``),
		pod(`"terminationGracePeriodSeconds":0,`, ``),
		pod(`"volumes":[{"name":"e","emptyDir":{"sizeLimit":"0.5Gi"}}],`, ``),
		pod(``, `,"env":[{"name":"A","value":""}],"args":[]`),
		pod(``, `,"readinessProbe":{"httpGet":{"port":80,"path":""},"initialDelaySeconds":0}`),
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","namespace":"default","labels":{}},"data":{"a":""},"binaryData":{"b":""},"immutable":false}`,
		`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"x","namespace":"default"},"stringData":{"a":"b"}}`,
		`{"apiVersion":"networking.k8s.io/v1","kind":"NetworkPolicy","metadata":{"name":"x","namespace":"default"},"spec":{"podSelector":{},"ingress":[{"ports":[{"port":80}]}]}}`,
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x","namespace":"default"},"spec":{"renewTime":"2026-01-01T12:00:00.000000+02:00"}}`,
		`{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"x","namespace":"default"},"rules":[]}`,
	} {
		sent, err := jsontree.Decode([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		kind := schema.FromAPIVersionAndKind(sent["apiVersion"].(string), sent["kind"].(string))
		said, ok := s.Stored(kind, sent)
		if !ok {
			t.Errorf("nothing is said of %s", body)
			continue
		}
		answer, err := s.Do(
			t.Context(),
			api.Request{Verb: api.Apply, Kind: kind, Namespace: "default", Name: "x", Manager: "test", Body: []byte(body)},
		)
		if err != nil || answer.Code != 201 {
			t.Errorf("%s is answered %d: %s, %v", body, answer.Code, answer.Body, err)
			continue
		}
		stored, err := jsontree.Decode(answer.Stored)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(content(t, said), content(t, stored)); diff != "" {
			t.Errorf("%s (-said +stored):\n%s", body, diff)
		}
		if content(t, sent) != content(t, stored) {
			normalised++
		}
	}
	if normalised < 12 {
		t.Errorf("only %d of the objects are stored otherwise than they are sent", normalised)
	}
}

// content is an object as JSON, without what a server adds to every object, or does by
// its strategies.
func content(t *testing.T, object map[string]any) string {
	t.Helper()
	out := map[string]any{}
	for key, v := range object {
		if key != "metadata" && key != "status" && key != "stringData" {
			out[key] = v
		}
	}
	text, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
