package engine

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Last puts together what an Apply manager applied last, as far as the live object tells:
// the live values of the fields that its entry owns, at its API version, as client-go's
// Extract functions do (apimachinery, util/managedfields/extract.go). They have the server's
// spelling, and lack what others changed since with force. The object is a write that names
// it and has its live object. The answer is the apply of the entry's manager without force
// and its body, to be edited before Send.
func Last(ctx context.Context, server api.Server, object Write, e managedfields.Entry) (Write, map[string]any, error) {
	w := object
	gv, err := schema.ParseGroupVersion(e.APIVersion)
	if err != nil {
		return w, nil, fmt.Errorf("parse the entry's API version: %w", err)
	}
	w.Kind = gv.WithKind(object.Kind.Kind)
	w.Verb, w.Manager, w.UserAgent = api.Apply, e.Manager, ""
	w.Subresource, w.Force, w.Locator = e.Subresource, false, nil
	live, err := LiveAt(ctx, server, object, w.Kind)
	if err != nil {
		return w, nil, err
	}
	types := server.Types(w.Kind).ParseableType
	if e.Subresource == "scale" {
		return w, scaleOf(managedfields.ShapeOf(types), live, e.Set), nil
	}
	body, err := Extract(types, live, e.Set)
	return w, body, err
}

// Send is the same write with a decoded body.
func (w Write) Send(body any) (Write, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return w, fmt.Errorf("encode the body: %w", err)
	}
	w = w.WithBody(text, body)
	w.Distinct = true
	return w, nil
}

// On is the same write to another live object, or to none where it is nil. It stays as it
// is where the object cannot be encoded.
func (w Write) On(live map[string]any) Write {
	if live == nil {
		w.Live, w.LiveObject = nil, nil
		return w
	}
	text, err := json.Marshal(live)
	if err != nil {
		return w
	}
	w.Live, w.LiveObject = text, live
	return w
}

// LiveAt is the live object of a write at another API version. The server has no call for a
// conversion alone; an empty merge patch answers with the object as it is.
func LiveAt(
	ctx context.Context,
	server api.Server,
	object Write,
	kind schema.GroupVersionKind,
) (map[string]any, error) {
	live, err := decoded(object)
	if err != nil {
		return nil, err
	}
	apiVersion, name := kind.ToAPIVersionAndKind()
	if live["apiVersion"] == apiVersion && live["kind"] == name {
		return live, nil
	}
	text := object.Live
	if text == nil {
		if text, err = json.Marshal(live); err != nil {
			return nil, fmt.Errorf("encode the live object: %w", err)
		}
	}
	resp, err := server.Do(ctx, api.Request{
		Verb: api.MergePatch, Kind: kind, Namespace: object.Namespace, Name: object.Name,
		Manager: "ssactl", Body: []byte("{}"), Live: text, Now: object.Now,
	})
	if err != nil {
		return nil, err
	}
	var out map[string]any
	if err := kjson.Unmarshal(resp.Stored, &out); err != nil || out == nil {
		return nil, fmt.Errorf("the live object cannot be read at %s", apiVersion)
	}
	return out, nil
}

func decoded(object Write) (map[string]any, error) {
	if object.LiveObject != nil {
		return object.LiveObject, nil
	}
	var live map[string]any
	if err := kjson.Unmarshal(object.Live, &live); err != nil {
		return nil, fmt.Errorf("parse the live object: %w", err)
	}
	return live, nil
}

// Extract cuts the fields of a set out of an object, with the identity that an
// apply needs (apiVersion, kind, name, namespace). Fields that the object lacks
// are left out with the parents that they alone would make.
func Extract(t typed.ParseableType, object map[string]any, set *fieldpath.Set) (map[string]any, error) {
	return guard.Value(func() (map[string]any, error) { return extract(t, object, set) })
}

func extract(t typed.ParseableType, object map[string]any, set *fieldpath.Set) (map[string]any, error) {
	tv, err := t.FromUnstructured(object, typed.AllowDuplicates)
	if err != nil {
		return nil, fmt.Errorf("read the live object: %w", err)
	}
	items := tv.ExtractItems(present(t, object, set), typed.WithAppendKeyFields())
	out, ok := items.AsValue().Unstructured().(map[string]any)
	if !ok {
		out = map[string]any{}
	}
	return withIdentity(out, object), nil
}

// present are the leaves of a set that an object has: structured-merge-diff
// would cut a parent that has none of its leaves to null.
func present(t typed.ParseableType, object map[string]any, set *fieldpath.Set) *fieldpath.Set {
	shape := managedfields.ShapeOf(t)
	out := fieldpath.NewSet()
	var find managedfields.Finder
	set.Leaves().Iterate(func(p fieldpath.Path) {
		if find.Has(shape, object, p) {
			out.Insert(p)
		}
	})
	return out
}

// Empty is the applied configuration of no field at all: the object's identity.
func Empty(object map[string]any) map[string]any { return withIdentity(map[string]any{}, object) }

// scaleOf is the Scale that asks for the one value that an entry of the scale
// subresource owns; its path is that of the object.
func scaleOf(shape managedfields.Shape, live map[string]any, set *fieldpath.Set) map[string]any {
	spec := map[string]any{}
	set.Leaves().Iterate(func(p fieldpath.Path) {
		if found := shape.Lookup(live, p); len(found) == 1 {
			spec["replicas"] = found[0]
		}
	})
	body := withIdentity(map[string]any{"spec": spec}, live)
	body["apiVersion"], body["kind"] = "autoscaling/v1", "Scale"
	return body
}

func withIdentity(out, object map[string]any) map[string]any {
	out["apiVersion"], out["kind"] = object["apiVersion"], object["kind"]
	from, _ := object["metadata"].(map[string]any)
	metadata, _ := out["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
	}
	for _, key := range []string{"name", "namespace"} {
		if v, ok := from[key]; ok {
			metadata[key] = v
		}
	}
	out["metadata"] = metadata
	return out
}
