package fastapply

import (
	"bytes"
	"context"
	"errors"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/ssactl/ssactl/internal/server/api"
)

// errNotStored ends an update of a live object that is not stored as it was given.
var errNotStored = errors.New("the live object is stored differently")

// update has the object after the apply stored; false where the server may answer
// otherwise.
func (a *apply) update(ctx context.Context) (api.Response, bool) {
	before, ok := a.liveEntries()
	if !ok {
		return api.Response{}, false
	}
	after, ok := a.managed(before)
	if !ok {
		return api.Response{}, false
	}
	live, err := a.internalLive(before)
	if err != nil {
		return api.Response{}, false
	}
	response, ok := a.endpoint.Update(ctx, live, func(current runtime.Object) (runtime.Object, error) {
		return a.next(current, after)
	})
	written := !bytes.Equal(response.Stored, a.call.Live)
	return response, ok && !(a.shared && written)
}

// next is the object after the apply in its internal form, as the field manager
// gives it (managedfields/internal/structuredmerge.go).
func (a *apply) next(current runtime.Object, entries []metav1.ManagedFieldsEntry) (runtime.Object, error) {
	if !a.isStored(current) {
		return nil, errNotStored
	}
	next, err := a.merged(current)
	if err != nil {
		return nil, err
	}
	return next, setEntries(next, entries)
}

// merged is the object after the apply, but for its entries. Where nothing changes,
// or defaults take each change back, it shares memory with the current one.
func (a *apply) merged(current runtime.Object) (runtime.Object, error) {
	switch {
	case a.repeats:
		return a.shallow(current), nil
	case len(a.overlay.changed) == 0:
		return current.DeepCopyObject(), nil
	}
	next, err := a.endpoint.Internal(bare(a.overlay.merged))
	if err == nil && alike(next, current) {
		return a.shallow(current), nil
	}
	return next, err
}

// alike reports whether two objects are equal to the letter, but for their entries.
func alike(next, current runtime.Object) bool {
	accessor, err := meta.Accessor(current)
	return err == nil && setEntries(next, accessor.GetManagedFields()) == nil && reflect.DeepEqual(next, current)
}

// shallow is a copy of an object that shares what it refers to: upstream compares
// the two, and sees at once that they are equal. If upstream's code changed what is
// shared, it would change both, and what is stored with them: update leaves that to
// the full path.
func (a *apply) shallow(object runtime.Object) runtime.Object {
	a.shared = true
	value := reflect.ValueOf(object).Elem()
	out := reflect.New(value.Type())
	out.Elem().Set(value)
	return out.Interface().(runtime.Object)
}
