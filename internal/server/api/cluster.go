package api

import "k8s.io/apimachinery/pkg/runtime/schema"

// Disguise gives an object in which each value of a Secret is replaced by another, and
// reports whether there is any. It does not change the given object.
type Disguise func(object map[string]any, other func(plain string) string) (map[string]any, bool)

// Listed is all objects of a kind, in a namespace or, where that is empty, everywhere.
type Listed struct {
	Kind      schema.GroupKind
	Namespace string
}
