package client

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/api"
)

// clientSideManager is the default field manager of kubectl apply without --server-side.
const clientSideManager = "kubectl-client-side-apply"

// clientSideApply applies the manifest as kubectl apply without --server-side does
// (pkg/cmd/apply/apply.go, applyOneObject, and pkg/util/apply.go): an absent object is
// created with the last-applied annotation; a live one gets the patch that merges the
// annotation, the manifest and itself.
func (r *sequence) clientSideApply(w engine.Write) bool {
	manifest := manifestOf(w)
	if manifest == nil {
		return r.send(Patch, w)
	}
	if err := undecodable(w); err != nil {
		return r.stop(Patch, w, err.Error())
	}
	modified := annotated(manifest)
	live := r.object()
	if live == nil {
		created := decoded(modified)
		withoutNulls(created)
		return r.create(w, created)
	}
	return r.patch(w, lastApplied(live), modified)
}

// annotated is the text of a manifest with itself as its last-applied annotation.
func annotated(manifest map[string]any) []byte {
	u := &unstructured.Unstructured{Object: manifest}
	annotations := u.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	delete(annotations, LastApplied)
	u.SetAnnotations(annotations)
	annotations[LastApplied] = string(encoded(u.Object))
	u.SetAnnotations(annotations)
	return encoded(u.Object)
}

// withoutNulls removes what is null from the maps of a value, in place.
func withoutNulls(value any) {
	switch v := value.(type) {
	case map[string]any:
		maps.DeleteFunc(v, func(_ string, value any) bool { return value == nil })
		for _, value := range v {
			withoutNulls(value)
		}
	case []any:
		for _, item := range v {
			withoutNulls(item)
		}
	}
}

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
	return threeWay(
		kind, original, modified, current,
		mergepatch.RequireKeyUnchanged(
			"apiVersion",
		),
		mergepatch.RequireKeyUnchanged("kind"),
		mergepatch.RequireMetadataKeyUnchanged("name"),
	)
}

// unpatchable is why kubectl makes no patch of a manifest, which it changes; nil where it
// makes one. A JSON merge patch goes key by key, and fails by those that name an object.
func unpatchable(kind schema.GroupVersionKind, original []byte, manifest, live map[string]any) error {
	former := decoded(original)
	if !scheme.Scheme.Recognizes(kind) && (former != nil || len(original) == 0) {
		_, _, err := patchOf(kind, encoded(naming(former)), encoded(naming(manifest)), naming(live))
		if err == nil {
			return nil
		}
	}
	_, _, err := patchOf(kind, original, annotated(manifest), live)
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

// threeWay is the patch that merges an original and a modified object with the current one:
// a strategic merge patch for kinds with Go types, else a JSON merge patch, for which the
// preconditions are. Upstream takes merge keys from the server's schema, which it makes of
// the same types.
func threeWay(
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

// patch sends the patch of a manifest, if there is anything to patch; false where it is
// refused.
func (r *sequence) patch(w engine.Write, original, modified []byte) bool {
	live, err := engine.LiveAt(r.ctx, r.server, r.on(w), w.Kind)
	if err != nil {
		return r.fail(Patch, w, err)
	}
	verb, patch, err := patchOf(w.Kind, original, modified, live)
	if err != nil {
		return r.stop(Patch, w, err.Error())
	}
	return r.sendPatch(w, verb, patch)
}

// sendPatch sends a patch that is not empty.
func (r *sequence) sendPatch(w engine.Write, verb api.Verb, patch []byte) bool {
	if string(patch) == "{}" {
		return true
	}
	lines := w.Locator
	w.Verb, w.Force = verb, false
	w = w.WithBody(patch, decoded(patch))
	w.Locator = lines
	return r.send(Patch, w)
}

// stop ends with what the client does not send.
func (r *sequence) stop(request Request, w engine.Write, message string) bool {
	return r.take(Step{Request: request, Result: engine.Stopped(r.on(w), message)})
}

// fail ends with a request that has no answer.
func (r *sequence) fail(request Request, w engine.Write, err error) bool {
	return r.take(Step{Request: request, Result: engine.Failure(r.on(w), err)})
}

// create sends a POST of an object, without the resourceVersion that it may have.
func (r *sequence) create(w engine.Write, object map[string]any) bool {
	unstructured.RemoveNestedField(object, "metadata", "resourceVersion")
	return r.send(Create, asCreate(w, object))
}

func asCreate(w engine.Write, object map[string]any) engine.Write {
	w.Verb, w.Force = api.Create, false
	return sending(w, object)
}

// sending is a write of an object that is made of the manifest: its lines are those of
// the manifest.
func sending(w engine.Write, object map[string]any) engine.Write {
	lines := w.Locator
	w = withBody(w, object)
	w.Locator = lines
	return w
}

// manifestOf is a copy of the manifest of a write, in the namespace of the write; nil
// where it is no object.
func manifestOf(w engine.Write) map[string]any {
	object, _ := w.Decoded.(map[string]any)
	switch {
	case object != nil:
		object = runtime.DeepCopyJSON(object)
	case w.JSON != nil:
		object = decoded(w.JSON)
	default:
		object = decoded(w.Body)
	}
	if object != nil && w.Namespace != "" {
		_ = unstructured.SetNestedField(object, w.Namespace, "metadata", "namespace")
	}
	return object
}

// namespaceIn is the namespace that the manifest of a write has itself.
func namespaceIn(w engine.Write) string {
	w.Namespace = ""
	return text(manifestOf(w), "metadata", "namespace")
}

// undecodable is the error of programs that read a manifest with kubectl's own code, where
// its metadata do not fit their Go type; nil where they fit (cli-runtime,
// pkg/resource/metadata_decoder.go).
func undecodable(w engine.Write) error {
	manifest, is := w.Decoded.(map[string]any)
	if !is {
		manifest = manifestOf(w)
	}
	text, err := kjson.Marshal(map[string]any{"metadata": manifest["metadata"]})
	if err != nil {
		return err
	}
	var object struct {
		metav1.ObjectMeta `json:"metadata,omitempty"`
	}
	if err := kjson.Unmarshal(text, &object); err != nil {
		return fmt.Errorf("unable to decode %q: %w", w.Source.File, err)
	}
	return nil
}

func decoded(text []byte) map[string]any {
	object, err := jsontree.Decode(text)
	if err != nil {
		return nil
	}
	return object
}

// encoded is an object as kubectl writes it.
func encoded(object map[string]any) []byte {
	text, _ := runtime.Encode(unstructured.UnstructuredJSONScheme, &unstructured.Unstructured{Object: object})
	return text
}

// secretValues are the values of a Secret by their keys, as the server stores them.
func secretValues(object map[string]any) map[string]string {
	out := map[string]string{}
	data, _ := object["data"].(map[string]any)
	for key, value := range data {
		out[key], _ = value.(string)
	}
	plain, _ := object["stringData"].(map[string]any)
	for key, value := range plain {
		one, _ := value.(string)
		out[key] = base64.StdEncoding.EncodeToString([]byte(one))
	}
	return out
}
