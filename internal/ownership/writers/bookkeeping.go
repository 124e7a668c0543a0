package writers

import "sigs.k8s.io/structured-merge-diff/v6/fieldpath"

// bookkeeping are the fields that tools keep for themselves.
var bookkeeping = fieldpath.NewSet(
	fieldpath.MakePathOrDie("metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"),
	fieldpath.MakePathOrDie("metadata", "annotations", "deployment.kubernetes.io/revision"),
	fieldpath.MakePathOrDie("metadata", "annotations", "kubectl.kubernetes.io/restartedAt"),
	fieldpath.MakePathOrDie("metadata", "annotations", "kubernetes.io/change-cause"),
	fieldpath.MakePathOrDie("spec", "template", "metadata", "annotations", "kubectl.kubernetes.io/restartedAt"),
)

// IsBookkeeping reports whether a field is one that tools keep for themselves, and that no
// manifest is meant to have.
func IsBookkeeping(path fieldpath.Path) bool { return bookkeeping.Has(path) }
