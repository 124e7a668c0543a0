package client

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ssactl/ssactl/internal/engine"
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
		return r.create(w, withoutNulls(decoded(modified)))
	}
	original, _ := annotation(live)
	text, _ := original.(string)
	return r.patch(w, []byte(text), modified)
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

// withoutNulls removes what is null from maps, in place.
func withoutNulls(object map[string]any) map[string]any {
	for key, value := range object {
		if value == nil {
			delete(object, key)
			continue
		}
		pruneNulls(value)
	}
	return object
}

func pruneNulls(value any) {
	switch v := value.(type) {
	case map[string]any:
		withoutNulls(v)
	case []any:
		for _, item := range v {
			pruneNulls(item)
		}
	}
}
