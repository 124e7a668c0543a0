package serve

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/serve/wire"
	"github.com/ssactl/ssactl/internal/server/api"
)

const deployment = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","resourceVersion":"7"}}`

// TestWrittenBy: a recorded request is the write that the engine explains.
func TestWrittenBy(t *testing.T) {
	is := func(change func(*wire.Write)) wire.Write {
		w := wire.Write{
			Method: "PATCH", Type: "application/apply-patch+yaml", Verb: "patch", Group: "apps", Version: "v1",
			Resource: "deployments", Namespace: "shop", Name: "web", Code: 200,
			Before: json.RawMessage(deployment), After: json.RawMessage(deployment),
		}
		change(&w)
		return w
	}
	for name, test := range map[string]struct {
		w    wire.Write
		verb api.Verb
		want func(written) bool
	}{
		"an apply": {
			is(func(w *wire.Write) { w.Query = "fieldManager=helm&force=true&fieldValidation=Strict" }), api.Apply,
			func(is written) bool {
				return is.write.Manager == "helm" && is.write.Force && is.write.FieldValidation == "Strict" && is.after != nil
			},
		},
		"a merge patch of the scale": {
			is(func(w *wire.Write) { w.Type, w.Subresource = "application/merge-patch+json", "scale" }), api.MergePatch,
			func(is written) bool { return is.write.Subresource == "scale" && is.write.Kind.Kind == "Deployment" },
		},
		"a create": {
			is(func(w *wire.Write) { w.Method, w.Type, w.Before, w.Code = "POST", "application/json", nil, 201 }), api.Create,
			func(is written) bool { return is.write.Live == nil && is.given.Code == 201 },
		},
		"a refused update": {
			is(func(w *wire.Write) { w.Method, w.Type, w.Code = "PUT", "application/json", 409 }), api.Update,
			func(is written) bool { return is.given.Stored == nil && is.given.Code == 409 },
		},
		"a delete": {
			is(func(w *wire.Write) { w.Method, w.After = "DELETE", nil }), api.Delete,
			func(is written) bool { return is.given.Deleted },
		},
		"a delete that waits for a finalizer": {
			is(func(w *wire.Write) { w.Method = "DELETE" }), api.Delete,
			func(is written) bool { return !is.given.Deleted },
		},
		"a dry run": {
			is(func(w *wire.Write) { w.Query = "dryRun=All" }), api.Apply,
			func(is written) bool { return is.write.DryRun },
		},
	} {
		got, ok := writtenBy(test.w)
		if !ok || got.write.Verb != test.verb || !test.want(got) {
			t.Errorf("%s: %v, %+v", name, ok, got)
		}
	}
	for name, w := range map[string]wire.Write{
		"a collection":              is(func(w *wire.Write) { w.Method, w.Name = "DELETE", "" }),
		"a patch of another type":   is(func(w *wire.Write) { w.Type = "text/plain" }),
		"a kind that nothing names": is(func(w *wire.Write) { w.Before, w.After = nil, nil }),
	} {
		if got, ok := writtenBy(w); ok {
			t.Errorf("%s is a write: %+v", name, got)
		}
	}
}

// TestByObject: writes are grouped by object, whatever the version and the order.
func TestByObject(t *testing.T) {
	w := func(version, name string) wire.Write {
		return wire.Write{
			Method: "PUT", Group: "apps", Version: version, Name: name, After: json.RawMessage(deployment),
		}
	}
	objects, others := byObject([]wire.Write{w("v1", "a"), w("v1", "b"), w("v1beta1", "a"), w("v1", "")})
	var got [][]string
	for _, object := range objects {
		var names []string
		for _, is := range object {
			names = append(names, is.write.Kind.Version+" "+is.write.Name)
		}
		got = append(got, names)
	}
	if diff := cmp.Diff([][]string{{"v1 a", "v1beta1 a"}, {"v1 b"}}, got); diff != "" || len(others) != 1 {
		t.Errorf("%d others, and objects (-want +got):\n%s", len(others), diff)
	}
}
