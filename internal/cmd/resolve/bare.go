package resolve

import (
	"maps"
	"reflect"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/files/edit"
)

// dropBareItems removes list items with nothing left but their key: such an item is
// still owned, and would stay, empty, once its other owner drops it. One that the live object would lose by that stays: a
// manager that owns a field in an item does not keep the item.
func (s *session) dropBareItems() {
	for i := range s.steps {
		step := &s.steps[i]
		if step.Action != StopManaging || step.Outcome != Done {
			continue
		}
		path := s.claims[i].Path
		for n := len(path) - 1; n > 0; n-- {
			if item := path[:n]; s.isBare(item) {
				if !s.dropItem(item) {
					break
				}
				step.Removed = item.String()
			}
		}
	}
}

// isBare reports whether the manifest has an item with its key only, which had
// more before.
func (s *session) isBare(path fieldpath.Path) bool {
	last := path[len(path)-1]
	if last.Key == nil {
		return false
	}
	now, former := s.Shape.Lookup(s.body.decoded, path), s.Shape.Lookup(s.Write.Decoded, path)
	if len(now) != 1 || len(former) != 1 || reflect.DeepEqual(now[0], former[0]) {
		return false
	}
	item, _ := now[0].(map[string]any)
	keys := map[string]bool{}
	for _, key := range *last.Key {
		keys[key.Name] = true
	}
	for name := range item {
		if !keys[name] {
			return false
		}
	}
	return len(item) > 0
}

// dropItem takes an item out unless the resulting object is another one then.
func (s *session) dropItem(path fieldpath.Path) bool {
	before := resulting(s.latest)
	undo, err := s.edit(func(d *edit.Doc, prefix fieldpath.Path) error {
		return d.Remove(below(prefix, path))
	})
	if err != nil {
		return false
	}
	after := resulting(s.latest)
	if before == nil || after == nil || !reflect.DeepEqual(content(before), content(after)) {
		undo()
		return false
	}
	return true
}

// content is an object without what counts its writes.
func content(object map[string]any) map[string]any {
	out := maps.Clone(object)
	metadata, _ := object["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	for _, name := range []string{"managedFields", "resourceVersion", "generation"} {
		delete(metadata, name)
	}
	out["metadata"] = metadata
	return out
}
