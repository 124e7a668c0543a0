package redact

import (
	"fmt"
	"strings"
	"testing"
)

// TestHold: fields of an object that were made from Secrets are masked in each struct that speaks of it, whether
// as objects, as values of a field or of one above it, and others are not.
func TestHold(t *testing.T) {
	type finding struct {
		Target struct{ APIVersion, Kind, Namespace, Name string } `secret:"public"`
		Field  string                                             `secret:"path"`
		Before any
		Object map[string]any
	}
	object := func() map[string]any {
		return map[string]any{"kind": "Deployment", "spec": map[string]any{"replicas": int64(3), "containers": []any{
			map[string]any{"name": "web", "env": []any{map[string]any{"name": "T", "value": "hunter2"}, map[string]any{"name": "M", "value": "loud"}}},
		}}}
	}
	const token = `.spec.containers[name="web"].env[name="T"].value`
	for _, test := range []struct {
		name, object, field string
		before              any
		masked              bool
	}{
		{"the field", "web", token, "hunter2", true},
		{"a list above it", "web", ".spec.containers", object()["spec"].(map[string]any)["containers"], true},
		{"another field", "web", ".spec.replicas", int64(7), false},
		{"of another object", "api", token, "hunter2", false},
	} {
		m := New()
		m.Hold("apps/v1", "Deployment", "shop", "web", []string{token})
		f := finding{Field: test.field, Before: test.before, Object: object()}
		f.Target.APIVersion, f.Target.Kind, f.Target.Namespace, f.Target.Name = "apps/v1", "Deployment", "shop", test.object
		for name, masker := range map[string]*Masker{"": m, ", apart": m.Apart()} {
			got := Document(masker, f)
			if masked := strings.Contains(fmt.Sprint(got.Before), "***"); masked != test.masked {
				t.Errorf("%s%s: before is %v", test.name, name, got.Before)
			}
			env := got.Object["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)["env"].([]any)
			value, other := env[0].(map[string]any)["value"], env[1].(map[string]any)["value"]
			if (value != "hunter2") != (test.object == "web") || other != "loud" {
				t.Errorf("%s%s: the object has %v and %v", test.name, name, value, other)
			}
		}
	}
	var off *Masker
	off.Hold("v1", "ConfigMap", "", "a", []string{".data"})
}
