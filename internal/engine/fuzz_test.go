package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
)

// FuzzSimulate: whatever the live object, the body and the answer are, the
// engine gives a result that can be written, and has no panic of its own.
func FuzzSimulate(f *testing.F) {
	f.Add(uint8(0), 200, liveGadget, `{"spec":{"replicas":3}}`, forcedGadget)
	f.Add(uint8(0), 409, liveGadget, `{"spec":null}`, conflictStatus)
	f.Add(
		uint8(1), 200, `{"spec":{"ports":[null,{},{"port":{}}]}}`, `{"stringData":{"a":1}}`,
		`{"data":{"a":"MQ=="},"spec":{"ports":{}}}`,
	)
	f.Add(
		uint8(2), 200, `{"metadata":{"managedFields":{}}}`, `[{"op":"move","path":"","from":"/a~1"},1]`,
		`{"spec":{"zones":[[],{}]}}`,
	)
	f.Add(uint8(3), 200, `null`, `{"$patch":"replace","$deleteFromPrimitiveList/x":[]}`, `{"x":[1]}`)
	f.Add(
		uint8(4), 404, `[]`, ``,
		`{"details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \""}]}}`,
	)
	f.Fuzz(func(t *testing.T, verb uint8, code int, live, body, answer string) {
		verbs := []api.Verb{api.Apply, api.Update, api.JSONPatch, api.StrategicPatch, api.MergePatch, api.Create, api.Delete}
		server := scripted{served: []schema.GroupVersionKind{gadgetKind}, do: func(api.Request) (api.Response, error) {
			return api.Response{Code: code, Body: []byte(answer)}, nil
		}}
		w := engine.Write{
			Verb:    verbs[int(verb)%len(verbs)],
			Kind:    gadgetKind,
			Name:    "g",
			Manager: "me",
			Live:    []byte(live),
			Body:    []byte(body),
		}
		r := engine.Simulate(t.Context(), server, w)
		if strings.HasPrefix(r.Error, "internal error") {
			t.Errorf("%s", r.Error)
		}
		if r.Outcome.Refused() && (len(r.Changes) > 0 || len(r.Transfers) > 0 || r.Object != nil) {
			t.Errorf("a refused write changes something: %+v", r)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Errorf("write the result: %v", err)
		}
	})
}
