package fastapply

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// maxUpdaters is how many Update entries an object keeps: of more, the field manager joins
// the oldest (managedfields/internal/capmanagers.go).
const maxUpdaters = 10

// move answers a JSON patch that replaces the managed fields entries and nothing else, as
// clients send it that move what was applied on the client's side (client-go's csaupgrade).
// The entries of the patch are stored, in the order of the field manager: no field changes,
// so that the request has no entry of its own, and takes nothing.
func (a *apply) move(ctx context.Context) (api.Response, bool) {
	list, owned, ok := a.moved()
	if !ok || !a.readEntries() {
		return api.Response{}, false
	}
	after, _, ok := a.entries(list, owned)
	if !ok {
		return api.Response{}, false
	}
	slices.SortStableFunc(after, func(x, y metav1.ManagedFieldsEntry) int {
		if precedes(x, y) {
			return -1
		}
		if precedes(y, x) {
			return 1
		}
		return 0
	})
	updaters := 0
	for _, entry := range after {
		if entry.Operation == metav1.ManagedFieldsOperationUpdate {
			updaters++
		}
	}
	// Other times alone are taken back.
	if updaters > maxUpdaters || sameButTimes(a.before, after) {
		return api.Response{}, false
	}
	_, live, err := a.internal(a.bare, a.before, server.Form{})
	if err != nil {
		return api.Response{}, false
	}
	return a.store(ctx, live, func(current runtime.Object) (runtime.Object, error) {
		next := shallow(current)
		return next, setEntries(next, after)
	})
}

// moved are the entries of the patch, with what they own; false for any other patch, and for
// a live object that is out of the ordinary.
func (a *apply) moved() ([]any, [][]byte, bool) {
	// Only an object is read with notes of what it repeats.
	patch, err := jsontree.Read(slices.Concat([]byte(`{"patch":`), a.call.Body, []byte(`}`)))
	operations, _ := patch.Object["patch"].([]any)
	if err != nil || len(patch.Object) != 1 || !patch.Distinct || len(operations) == 0 || len(operations) > 2 {
		return nil, nil, false
	}
	a.filled = patch.Filled
	if !a.readLive() || !a.liveIdentified() {
		return nil, nil, false
	}
	metadata, _ := a.live["metadata"].(map[string]any)
	if !livesOn(metadata) {
		return nil, nil, false
	}
	first, _ := operations[0].(map[string]any)
	list, is := first["value"].([]any)
	if !is || !isReplace(first, "/metadata/managedFields") {
		return nil, nil, false
	}
	if len(operations) == 2 {
		second, _ := operations[1].(map[string]any)
		if !isReplace(second, "/metadata/resourceVersion") || second["value"] != metadata["resourceVersion"] {
			return nil, nil, false
		}
	}
	return list, patch.Owned, true
}

// isReplace reports whether an operation of a JSON patch replaces what a pointer leads to.
func isReplace(operation map[string]any, pointer string) bool {
	_, has := operation["value"]
	return has && len(operation) == 3 && operation["op"] == "replace" && operation["path"] == pointer
}
