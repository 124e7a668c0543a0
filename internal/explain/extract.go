package explain

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/apicall"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/ownership"
)

// lastApplied puts together what an Apply manager applied last: the live
// values of the fields that its entry owns, as client-go's Extract functions
// do (apimachinery, util/managedfields/extract.go). Values are in the server's
// spelling; what was applied and never stored is missing.
func (s *session) lastApplied(owner engine.Writer) (engine.Write, any, error) {
	w := s.write
	gv, err := schema.ParseGroupVersion(owner.APIVersion)
	if err != nil {
		return w, nil, fmt.Errorf("parse the entry's API version: %w", err)
	}
	w.Kind = gv.WithKind(s.write.Kind.Kind)
	w.Verb, w.Manager, w.UserAgent = apicall.Apply, owner.Manager, ""
	w.Subresource, w.Force, w.Locator = owner.Subresource, false, nil
	set := s.owned(owner)
	if set == nil {
		return w, nil, fmt.Errorf("%s has no entry", owner.Manager)
	}
	live, err := s.liveAt(w.Kind)
	if err != nil {
		return w, nil, err
	}
	if owner.Subresource == "scale" {
		return w, scaleOf(ownership.ShapeOf(s.server.Types(w.Kind).ParseableType), live, set), nil
	}
	body, err := extract(s.server.Types(w.Kind).ParseableType, live, set)
	return w, body, err
}

// owned is the field set of an entry; nil where there is none.
func (s *session) owned(owner engine.Writer) *fieldpath.Set {
	for _, e := range s.owners.Readable() {
		if e.Manager == owner.Manager && e.Operation == owner.Operation && e.Subresource == owner.Subresource && e.APIVersion == owner.APIVersion {
			return e.Set
		}
	}
	return nil
}

// liveAt is the live object at another API version. The server has no call
// for a conversion alone; an empty merge patch answers with the object as it
// is.
func (s *session) liveAt(kind schema.GroupVersionKind) (map[string]any, error) {
	apiVersion, name := kind.ToAPIVersionAndKind()
	if s.live["apiVersion"] == apiVersion && s.live["kind"] == name {
		return s.live, nil
	}
	resp, err := s.server.Do(s.ctx, apicall.Request{
		Verb: apicall.MergePatch, Kind: kind, Namespace: s.write.Namespace, Name: s.write.Name,
		Manager: "ssactl", Body: []byte("{}"), Live: s.liveBytes(), Now: s.write.Now,
	})
	if err != nil {
		return nil, err
	}
	var object map[string]any
	if err := kjson.Unmarshal(resp.Stored, &object); err != nil || object == nil {
		return nil, fmt.Errorf("the live object cannot be told at %s", apiVersion)
	}
	return object, nil
}

func (s *session) liveBytes() []byte {
	if s.write.Live != nil {
		return s.write.Live
	}
	b, err := json.Marshal(s.live)
	if err != nil {
		return nil
	}
	return b
}

// extract cuts the fields of a set out of an object, with the identity that an
// apply needs.
func extract(t typed.ParseableType, object map[string]any, set *fieldpath.Set) (body any, err error) {
	defer func() {
		if p := recover(); p != nil {
			body, err = nil, fmt.Errorf("extract the owned fields: %v", p)
		}
	}()
	tv, err := t.FromUnstructured(object, typed.AllowDuplicates)
	if err != nil {
		return nil, fmt.Errorf("read the live object: %w", err)
	}
	items := tv.ExtractItems(set.Leaves(), typed.WithAppendKeyFields())
	out, ok := items.AsValue().Unstructured().(map[string]any)
	if !ok {
		out = map[string]any{}
	}
	return withIdentity(out, object), nil
}

// scaleOf is the Scale that asks for the one value that an entry of the scale
// subresource owns; its path is that of the object.
func scaleOf(shape ownership.Shape, live map[string]any, set *fieldpath.Set) any {
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

// writerOf tells an entry as the engine does.
func writerOf(e ownership.Entry) engine.Writer {
	return engine.Writer{Manager: e.Manager, Operation: e.Operation, Subresource: e.Subresource, APIVersion: e.APIVersion, Time: e.Time}
}
