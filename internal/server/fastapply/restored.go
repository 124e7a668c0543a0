package fastapply

import (
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// restored are the changes of a kind that defaults took back: a fieldRef without its
// apiVersion, for one. Objects of a chart have the same over and over. What they
// expect is only tried first.
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
		return a.Manager == b.Manager && a.Operation == b.Operation && a.APIVersion == b.APIVersion && a.Subresource == b.Subresource &&
			a.FieldsType == b.FieldsType && a.FieldsV1.Equal(*b.FieldsV1)
	})
}
