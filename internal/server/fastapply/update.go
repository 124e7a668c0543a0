package fastapply

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// update has the object after the apply stored; false where the server may answer
// otherwise.
func (a *apply) update(ctx context.Context) (api.Response, bool) {
	after, others, ok := a.managed()
	if !ok {
		return api.Response{}, false
	}
	if len(others) > 0 && !a.call.Force {
		return a.conflict(others)
	}
	if a.repeats {
		return a.unchanged(ctx, a.before)
	}
	// A strategy may tell something empty from nothing: the live object is not to have it.
	expected := !a.overlay.pruned && !a.overlay.hollow && a.kind.restored.has(a.overlay.changed)
	if expected && sameButTimes(a.before, after) {
		if response, ok := a.unchanged(ctx, a.before); ok {
			return response, true
		}
	}
	return a.changed(ctx, a.before, after)
}

// unchanged answers an apply that is expected to change nothing: it repeats what the
// manager applied last, or defaults take each change back. The object made of the merged
// tree is both the live one and the one after, which upstream compares at once. False where
// the expectation is wrong.
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

// changed answers any other apply. The live object and the one after the apply share what
// is one in both trees: it is made once, and upstream sees at once that it is equal.
func (a *apply) changed(ctx context.Context, before, after []metav1.ManagedFieldsEntry) (api.Response, bool) {
	form, live, err := a.internal(a.bare, before, server.Form{})
	if err != nil {
		return api.Response{}, false
	}
	return a.store(ctx, live, func(current runtime.Object) (runtime.Object, error) {
		if len(a.overlay.changed) == 0 && !a.overlay.pruned {
			next := shallow(current)
			return next, setEntries(next, after)
		}
		_, next, err := a.internal(a.overlay.merged, before, form)
		// That of a definition takes megabytes.
		form = server.Form{}
		if err != nil {
			return nil, err
		}
		if !a.overlay.pruned && reflect.DeepEqual(next, current) {
			a.kind.restored.add(a.overlay.changed)
		}
		return next, setEntries(next, after)
	})
}

// store has next take the place of the live object.
func (a *apply) store(
	ctx context.Context,
	live runtime.Object,
	next func(runtime.Object) (runtime.Object, error),
) (api.Response, bool) {
	change := server.Change{Live: live, Filled: a.filled, Next: next, Bare: a.bare}
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

// restored are the changes of a kind that defaults took back, such as a fieldRef without
// apiVersion: the objects of a chart repeat them. They only decide what is tried first.
type restored struct {
	mu      sync.RWMutex
	changes map[string]bool
}

// maxRestored bounds what is remembered, and of how many fields.
const maxRestored = 256

func (r *restored) has(changed []fieldpath.Path) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.changes) > 0 && len(changed) <= maxRestored && r.changes[namesOf(changed)]
}

func (r *restored) add(changed []fieldpath.Path) {
	if len(changed) > maxRestored {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.changes == nil || len(r.changes) >= maxRestored {
		r.changes = map[string]bool{}
	}
	r.changes[namesOf(changed)] = true
}

// namesOf are the names of the fields that paths lead through, whatever the items.
func namesOf(paths []fieldpath.Path) string {
	texts := make([]string, 0, len(paths))
	for _, path := range paths {
		var text strings.Builder
		for _, element := range path {
			if element.FieldName != nil {
				text.WriteString(*element.FieldName)
				text.WriteByte('/')
			}
		}
		texts = append(texts, text.String())
	}
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), "\n")
}

// sameButTimes reports whether entries are the same in the same order, but for their
// times: the field manager leaves those alone where nothing else changes
// (handlers/fieldmanager/equality.go).
func sameButTimes(before, after []metav1.ManagedFieldsEntry) bool {
	return slices.EqualFunc(before, after, func(a, b metav1.ManagedFieldsEntry) bool {
		return a.Manager == b.Manager && a.Operation == b.Operation && a.APIVersion == b.APIVersion &&
			a.Subresource == b.Subresource && a.FieldsType == b.FieldsType && a.FieldsV1.Equal(*b.FieldsV1)
	})
}
