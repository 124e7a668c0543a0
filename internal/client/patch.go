package client

import (
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/server/api"
)

// errLastApplied is where kubectl says "invalid JSON document", with all of the object.
var errLastApplied = errors.New("the annotation " + LastApplied + " is no JSON: no patch can be made of it")

// patchOf is the patch by which what was applied before, what is applied now and the
// live object merge, as kubectl's patcher makes it (pkg/cmd/apply/patcher.go,
// patchSimple). Custom resources have to stay the object that they are.
func patchOf(kind schema.GroupVersionKind, original, modified []byte, live map[string]any) (api.Verb, []byte, error) {
	if len(original) > 0 && !json.Valid(original) {
		return "", nil, errLastApplied
	}
	current, err := json.Marshal(live)
	if err != nil {
		return "", nil, fmt.Errorf("encode the live object: %w", err)
	}
	return ThreeWay(
		kind, original, modified, current,
		mergepatch.RequireKeyUnchanged(
			"apiVersion",
		),
		mergepatch.RequireKeyUnchanged("kind"),
		mergepatch.RequireMetadataKeyUnchanged("name"),
	)
}

// Unpatchable is why kubectl makes no patch of a manifest, which it changes; nil where it
// makes one. A JSON merge patch goes key by key, and fails by those that name an object.
func Unpatchable(kind schema.GroupVersionKind, original []byte, manifest, live map[string]any) error {
	former := objects.Decode(original)
	if !scheme.Scheme.Recognizes(kind) && (former != nil || len(original) == 0) {
		_, _, err := patchOf(kind, objects.Encode(naming(former)), objects.Encode(naming(manifest)), naming(live))
		if err == nil {
			return nil
		}
	}
	_, _, err := patchOf(kind, original, Annotated(manifest), live)
	return err
}

// naming is an object with nothing but what names it.
func naming(object map[string]any) map[string]any {
	only := func(in map[string]any, keys ...string) map[string]any {
		out := map[string]any{}
		for _, key := range keys {
			if value, has := in[key]; has {
				out[key] = value
			}
		}
		return out
	}
	metadata, _ := object["metadata"].(map[string]any)
	out := only(object, "apiVersion", "kind")
	out["metadata"] = only(metadata, "name")
	return out
}

// ThreeWay is the patch that merges an original and a modified object with the current one:
// a strategic merge patch for kinds with Go types, else a JSON merge patch, for which the
// preconditions are. Upstream takes merge keys from the server's schema, which it makes of
// the same types.
func ThreeWay(
	kind schema.GroupVersionKind,
	original, modified, current []byte,
	custom ...mergepatch.PreconditionFunc,
) (api.Verb, []byte, error) {
	verb := api.StrategicPatch
	patch, err := guard.Value(func() ([]byte, error) {
		object, err := scheme.Scheme.New(kind)
		if err != nil {
			verb = api.MergePatch
			return jsonmergepatch.CreateThreeWayJSONMergePatch(original, modified, current, custom...)
		}
		meta, err := strategicpatch.NewPatchMetaFromStruct(object)
		if err != nil {
			return nil, err
		}
		return strategicpatch.CreateThreeWayMergePatch(original, modified, current, meta, true)
	})
	return verb, patch, err
}

// Patch sends the patch of a manifest, if there is anything to patch; false where it is
// refused.
func (r *Sequence) Patch(w engine.Write, original, modified []byte) bool {
	live, err := engine.LiveAt(r.Ctx, r.Server, r.On(w), w.Kind)
	if err != nil {
		return r.fail(Patch, w, err)
	}
	verb, patch, err := patchOf(w.Kind, original, modified, live)
	if err != nil {
		return r.Stop(Patch, w, err.Error())
	}
	return r.SendPatch(w, verb, patch)
}

// SendPatch sends a patch that is not empty.
func (r *Sequence) SendPatch(w engine.Write, verb api.Verb, patch []byte) bool {
	if string(patch) == "{}" {
		return true
	}
	lines := w.Locator
	w.Verb, w.Force = verb, false
	w = w.WithBody(patch, objects.Decode(patch))
	w.Locator = lines
	return r.Send(Patch, w)
}
