package redact

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDisguised(t *testing.T) {
	secret := `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"db"},"data":{"password":"` + b64(
		"hunter22",
	) + `"},"stringData":{"user":"admin"}}`
	other := `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"db"},"data":{"password":"` + b64(
		"<hunter22>",
	) + `"},"stringData":{"user":"<admin>"}}`
	quoting := `{"kind":"Secret","metadata":{"labels":{"a":"shop"},"annotations":{"a":"is hunter22","b":"none"}},"stringData":{"k":"hunter22"}}`
	for given, want := range map[string]string{
		secret:  other,
		quoting: `{"kind":"Secret","metadata":{"labels":{"a":"shop"},"annotations":{"a":"<is hunter22>","b":"none"}},"stringData":{"k":"<hunter22>"}}`,
		`{"kind":"Template","objects":[` + secret + `]}`: `{"kind":"Template","objects":[` + other + `]}`,
		`{"kind":"ConfigMap","data":{"a":"admin"}}`:      "",
	} {
		var object map[string]any
		if err := json.Unmarshal([]byte(given), &object); err != nil {
			t.Fatal(err)
		}
		got, has := Disguised(object, func(plain string) string { return "<" + plain + ">" })
		if has != (want != "") {
			t.Errorf("%s has values: %v", given, has)
		}
		var wanted map[string]any
		if err := json.Unmarshal([]byte(want), &wanted); err != nil {
			wanted = object
		}
		if diff := cmp.Diff(wanted, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", given, diff)
		}
	}
}
