package faithful

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

// TestLetters: of the letters that a request has, the live object takes those
// that say the same, however they are spelled.
func TestLetters(t *testing.T) {
	kind := schema.GroupVersionKind{Group: "resource.k8s.io", Version: "v1", Kind: "DeviceClass"}
	resource := schema.GroupResource{Group: "resource.k8s.io", Resource: "deviceclasses"}
	live := `{"spec": {"config": [{"opaque": {"parameters": { "b": 1.0, "a": "<" }}}, {"opaque": {"parameters": {"c":[ 1 ]}}}]}}`
	with := func(first, second string) string {
		return `{"spec": {"config": [{"opaque": {"parameters": ` + first + `}}, {"opaque": {"parameters": ` + second + `}}]}}`
	}
	for _, c := range []struct {
		verb api.Verb
		body string
		want string
	}{
		{api.Apply, `{"b":1, "a":"<"}`, with(`{"a":"\u003c","b":1}`, `{"c":[1]}`)},
		{api.MergePatch, `{"spec":null}`, with(`{"a":"\u003c","b":1}`, `{"c":[1]}`)},
		{api.Update, `{"x":[{"b":1,"a":"<"}, {"c": [1]}]}`, with(`{"b":1,"a":"<"}`, `{"c": [1]}`)},
		{api.Update, "x:\n- c: [1]\n", with(`{"a":"\u003c","b":1}`, `{"c":[1]}`)},
		{api.JSONPatch, `[{"value": { "b": 1, "a": "<" }}]`, with(`{"b":1,"a":"\u003c"}`, `{"c":[1]}`)},
	} {
		call := api.Request{Verb: c.verb, Kind: kind, Body: []byte(c.body), Live: []byte(live)}
		got := LettersOf(call, resource).In(call.Live)
		if diff := cmp.Diff(c.want, string(got)); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.verb, c.body, diff)
		}
	}
}
