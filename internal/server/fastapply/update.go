package fastapply

import (
	"bytes"
	"context"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// update has the object after the apply stored; false where the server may answer
// otherwise.
func (a *apply) update(ctx context.Context) (api.Response, bool) {
	after, ok := a.managed()
	if !ok {
		return api.Response{}, false
	}
	if a.repeats {
		return a.unchanged(ctx, a.before)
	}
	if a.kind.restored.has(a.overlay.changed) && sameButTimes(a.before, after) {
		if response, ok := a.unchanged(ctx, a.before); ok {
			return response, true
		}
	}
	return a.changed(ctx, a.before, after)
}

// unchanged answers an apply that is expected to change nothing: it repeats what the
// manager applied last, or defaults take each change back. The object is made of the
// merged tree, and both the live one and the one after the apply: upstream compares
// the two, and sees at once that they are equal. False where that was not so.
func (a *apply) unchanged(ctx context.Context, entries []metav1.ManagedFieldsEntry) (api.Response, bool) {
	_, object, err := a.internal(a.overlay.merged, entries, server.Form{})
	if err != nil {
		return api.Response{}, false
	}
	response, ok := a.store(ctx, object, func(current runtime.Object) (runtime.Object, error) {
		return shallow(current), nil
	})
	return response, ok && bytes.Equal(response.Stored, a.call.Live)
}

// changed answers any other apply. What is one in both trees, the live object and the one
// after the apply share, so that it is made once, and upstream sees at once that it is
// equal.
func (a *apply) changed(ctx context.Context, before, after []metav1.ManagedFieldsEntry) (api.Response, bool) {
	form, live, err := a.internal(a.bare, before, server.Form{})
	if err != nil {
		return api.Response{}, false
	}
	return a.store(ctx, live, func(current runtime.Object) (runtime.Object, error) {
		if len(a.overlay.changed) == 0 {
			next := shallow(current)
			return next, setEntries(next, after)
		}
		_, next, err := a.internal(a.overlay.merged, before, form)
		// That of a definition takes megabytes.
		form = server.Form{}
		if err != nil {
			return nil, err
		}
		if reflect.DeepEqual(next, current) {
			a.kind.restored.add(a.overlay.changed)
		}
		return next, setEntries(next, after)
	})
}

// store has next take the place of the live object.
func (a *apply) store(ctx context.Context, live runtime.Object, next func(runtime.Object) (runtime.Object, error)) (api.Response, bool) {
	change := server.Change{Live: live, Lists: a.lists, Next: next, Bare: a.bare}
	if a.call.Trees != nil {
		change.Like = a.live
	}
	return a.endpoint.Update(ctx, change)
}

// shallow is a copy of an object that shares what it refers to.
func shallow(object runtime.Object) runtime.Object {
	value := reflect.ValueOf(object).Elem()
	out := reflect.New(value.Type())
	out.Elem().Set(value)
	return out.Interface().(runtime.Object)
}
