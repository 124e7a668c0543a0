package ownership

import (
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
)

const entriesPointer = "/metadata/managedFields"

// Patch makes of the object's entries what they have become: what is pruned or of another
// operation is replaced, then the others are removed from the last to the first, so that
// places hold. All entries go by a list of one empty entry, which the server takes as a
// reset (apimachinery, managedfields/internal/fieldmanager.go): an empty list resets
// built-in kinds only, and removing the list does nothing.
func (es *Entries) Patch() ([]report.PatchOperation, error) {
	if len(es.list) == 0 && len(es.read) > 0 {
		return []report.PatchOperation{ReplaceAll(nil)}, nil
	}
	var replaced, removed []report.PatchOperation
	for _, was := range es.read {
		is, left := es.now(was)
		switch {
		case !left:
			removed = append(removed, report.PatchOperation{Op: "remove", Path: pointer(was, "")})
			continue
		case is.Operation != was.Operation:
			replaced = append(
				replaced,
				report.PatchOperation{Op: "replace", Path: pointer(was, "/operation"), Value: is.Operation},
			)
		}
		if !is.Set.Equals(was.Set) {
			fields, err := managedfields.ToFields(is.Set)
			if err != nil {
				return nil, fmt.Errorf("encode managed fields entry of %q: %w", was.Manager, err)
			}
			replaced = append(replaced, report.PatchOperation{Op: "replace", Path: pointer(was, "/fieldsV1"), Value: fields})
		}
	}
	slices.Reverse(removed)
	return append(replaced, removed...), nil
}

// Guards test what a patch is made for, where it cannot test the resourceVersion: that at
// the places which it touches the same entries stand, by their managers and, where asked
// for, operations.
func (es *Entries) Guards(keys ...Key) []report.PatchOperation {
	var out []report.PatchOperation
	for _, was := range es.read {
		if is, left := es.now(was); left && is.raw != nil {
			continue
		}
		for _, key := range keys {
			value := was.Manager
			if key == Operation {
				value = was.Operation
			}
			out = append(out, report.PatchOperation{Op: "test", Path: pointer(was, "/"+string(key)), Value: value})
		}
	}
	return out
}

// Key is one of an entry that Guards can test.
type Key string

// The keys.
const (
	Manager   Key = "manager"
	Operation Key = "operation"
)

// now is what an entry of the object has become; false where it is removed.
func (es *Entries) now(was managedfields.Entry) (entry, bool) {
	i := slices.IndexFunc(es.list, func(e entry) bool { return e.Index == was.Index })
	if i < 0 {
		return entry{}, false
	}
	return es.list[i], true
}

func pointer(e managedfields.Entry, below string) string {
	return fmt.Sprintf("%s/%d%s", entriesPointer, e.Index, below)
}

// TestVersion tests that the object is still in the state that was planned for; false
// where it has no resourceVersion.
func TestVersion(object map[string]any) (report.PatchOperation, bool) {
	version, _ := fieldtree.Value(object, "metadata", "resourceVersion").(string)
	return report.PatchOperation{Op: "test", Path: "/metadata/resourceVersion", Value: version}, version != ""
}

// TestAll tests that an object has the same entries still.
func TestAll(object map[string]any) report.PatchOperation {
	return report.PatchOperation{Op: "test", Path: entriesPointer, Value: list(object)}
}

// ReplaceAll replaces all entries with those of an object.
func ReplaceAll(object map[string]any) report.PatchOperation {
	return report.PatchOperation{Op: "replace", Path: entriesPointer, Value: list(object)}
}

// list are the entries of an object as they stand in it, or else the one empty entry that
// resets them.
func list(object map[string]any) []any {
	if list, _ := fieldtree.Value(object, "metadata", "managedFields").([]any); len(list) > 0 {
		return list
	}
	return []any{map[string]any{}}
}

// RemoveField removes a field from an object; of a repeated item all, from the last.
func RemoveField(shape managedfields.Shape, object map[string]any, path fieldpath.Path) []report.PatchOperation {
	var out []report.PatchOperation
	for _, pointer := range fieldtree.Pointers(shape, object, path) {
		out = append(out, report.PatchOperation{Op: "remove", Path: pointer})
	}
	slices.Reverse(out)
	return out
}
