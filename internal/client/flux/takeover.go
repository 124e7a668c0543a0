package flux

import (
	"cmp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/server/api"
)

// cleanUp takes over entries; moved is true where there is something to patch.
func (f *flux) cleanUp(r *client.Sequence, w engine.Write, manifest, live map[string]any) (moved, accepted bool) {
	merges := map[string]string{fluxGroup + "ssa": "Merge"}
	if live == nil || objects.HasAny(manifest, merges) || objects.HasAny(live, merges) {
		return false, true
	}
	var patch []any
	remove := func(of, key string, values map[string]string) {
		if _, has := values[key]; has {
			patch = append(
				patch,
				map[string]any{"op": "remove", "path": "/metadata/" + of + "/" + strings.ReplaceAll(key, "/", "~1")},
			)
		}
	}
	for _, key := range []string{client.LastApplied, fluxGroup + "checksum", "fluxcd.io/sync-checksum"} {
		remove("annotations", key, objects.Annotations(live))
	}
	remove("labels", "fluxcd.io/sync-gc-mark", objects.Labels(live))
	if entries, edited := f.takeOver(objects.Entries(live)); edited {
		patch = append(patch, client.Operation{Op: "replace", Path: "/metadata/managedFields", Value: entries})
	}
	if len(patch) == 0 {
		return false, true
	}
	w.Verb, w.Force = api.JSONPatch, false
	return true, r.Send(client.MoveEntries, client.WithBody(w, patch))
}

// takeOver are the entries with those of the managers that are taken over in the Apply
// entry of the controller (fluxcd/pkg/ssa, patch.go, PatchReplaceFieldsManagers).
func (f *flux) takeOver(entries []metav1.ManagedFieldsEntry) (out []metav1.ManagedFieldsEntry, edited bool) {
	var own *metav1.ManagedFieldsEntry
	for i, e := range entries {
		if e.Manager == f.Manager && e.Operation == metav1.ManagedFieldsOperationApply {
			own = &entries[i]
		}
	}
	takes := func(e metav1.ManagedFieldsEntry) bool {
		return e.Subresource == "" && slices.ContainsFunc(f.taken, func(t takenManager) bool {
			return e.Operation == t.operation && strings.HasPrefix(e.Manager, t.name)
		})
	}
	kept := own
	var merged metav1.ManagedFieldsEntry
	if own != nil {
		merged = *own
	}
	for i, e := range entries {
		switch {
		case kept == &entries[i]:
		case !takes(e):
			out = append(out, e)
		case own == nil:
			merged = e
			merged.Manager, merged.Operation = f.Manager, metav1.ManagedFieldsOperationApply
			own, edited = &merged, true
		default:
			merged.FieldsV1, edited = union(merged.FieldsV1, e.FieldsV1), true
		}
	}
	return append(out, merged), edited
}

// union are the fields of two entries.
func union(a, b *metav1.FieldsV1) *metav1.FieldsV1 {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	merged, err := guard.Value(func() (*metav1.FieldsV1, error) {
		var as, bs fieldpath.Set
		if err := as.FromJSON(a.GetRawReader()); err != nil {
			return nil, err
		}
		if err := bs.FromJSON(b.GetRawReader()); err != nil {
			return nil, err
		}
		raw, err := as.Union(&bs).ToJSON()
		return metav1.NewFieldsV1(string(raw)), err
	})
	if err != nil {
		return a
	}
	return merged
}

// takenManager is whose entries are taken over: those that begin with the name.
type takenManager struct {
	name      string
	operation metav1.ManagedFieldsOperationType
}
