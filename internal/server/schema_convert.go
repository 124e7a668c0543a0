package server

import (
	"reflect"

	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
)

// schemaConverter converts schemas from one version to another as upstream does, one by
// one, so that those that are converted already need not be again.
type schemaConverter[F, T any] struct {
	upstream func(*F, *T, conversion.Scope) error
	from     schemaForm[F]
	to       schemaForm[T]
}

// schemaForm is how definitions have schemas at one version.
type schemaForm[S any] struct {
	// root is where a definition has its schema; nil where it has none, or may have more.
	root func(definition runtime.Object) **S
	// withRoot is a copy of a definition with another one.
	withRoot func(definition runtime.Object, root *S) runtime.Object
	// below gives the schemas below one, and put has it have others.
	below func(*S) inside[S]
	put   func(*S, inside[S])
}

// inside are the schemas below one, but those of combinations and other rare ones.
type inside[S any] struct {
	properties    map[string]S
	items, values *S
}

// convert converts a schema beside another one, which is nil for none.
func (c schemaConverter[F, T]) convert(in *F, out *T, like *F, came *T) error {
	within := c.from.below(in)
	alone := *in
	c.from.put(&alone, inside[F]{})
	if err := c.upstream(&alone, out, nil); err != nil {
		return err
	}
	var was inside[F]
	var is, wasOut inside[T]
	if like != nil {
		was, wasOut = c.from.below(like), c.to.below(came)
	}
	var err error
	if is.properties, err = c.properties(within.properties, was.properties, wasOut.properties); err != nil {
		return err
	}
	if is.items, err = c.pointed(within.items, was.items, wasOut.items); err != nil {
		return err
	}
	if is.values, err = c.pointed(within.values, was.values, wasOut.values); err != nil {
		return err
	}
	c.to.put(out, is)
	return nil
}

func (c schemaConverter[F, T]) pointed(in, like *F, came *T) (*T, error) {
	switch in {
	case nil:
		return nil, nil
	case like:
		return came, nil
	}
	out := new(T)
	return out, c.convert(in, out, like, came)
}

func (c schemaConverter[F, T]) properties(in, like map[string]F, came map[string]T) (map[string]T, error) {
	switch {
	case in == nil:
		return nil, nil
	case sameMap(in, like):
		return came, nil
	}
	out := make(map[string]T, len(in))
	for name, p := range in {
		var converted T
		var err error
		if was, has := like[name]; has {
			came := came[name]
			err = c.convert(&p, &converted, &was, &came)
		} else {
			err = c.convert(&p, &converted, nil, nil)
		}
		if err != nil {
			return nil, err
		}
		out[name] = converted
	}
	return out, nil
}

// sameMap reports whether two maps are one in memory.
func sameMap[V any](a, b map[string]V) bool {
	return reflect.ValueOf(a).UnsafePointer() == reflect.ValueOf(b).UnsafePointer()
}
