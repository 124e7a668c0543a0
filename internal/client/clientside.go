package client

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
)

// ClientSideManager is the default field manager of kubectl apply without --server-side.
const ClientSideManager = "kubectl-client-side-apply"

// ClientSideApply applies the manifest as kubectl apply without --server-side does
// (pkg/cmd/apply/apply.go, applyOneObject, and pkg/util/apply.go): an absent object is
// created with the last-applied annotation; a live one gets the patch that merges the
// annotation, the manifest and itself.
func (r *Sequence) ClientSideApply(w engine.Write) bool {
	manifest := Manifest(w)
	if manifest == nil {
		return r.Send(Patch, w)
	}
	if err := Undecodable(w); err != nil {
		return r.Stop(Patch, w, err.Error())
	}
	modified := Annotated(manifest)
	live := r.Object()
	if live == nil {
		created := objects.Decode(modified)
		objects.WithoutNulls(created)
		return r.Create(w, created)
	}
	return r.Patch(w, LastManifest(live), modified)
}

// Annotated is the text of a manifest with itself as its last-applied annotation.
func Annotated(manifest map[string]any) []byte {
	u := &unstructured.Unstructured{Object: manifest}
	annotations := u.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	delete(annotations, LastApplied)
	u.SetAnnotations(annotations)
	annotations[LastApplied] = string(objects.Encode(u.Object))
	u.SetAnnotations(annotations)
	return objects.Encode(u.Object)
}
