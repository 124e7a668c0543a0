package resolve

import (
	"errors"
	"maps"
	"reflect"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/cmd/resolve/interactive"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/files/edit"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

var (
	errNothingStored = errors.New("nothing is stored for the field, so that there is no value to write")
	errSeveral       = errors.New("the live list has several items with this key, so that there is no one value to write")
	errSecret        = errors.New("the live value is a Secret's, and would be written into the manifest in plain text")
)

// sharing writes live values into a manifest.
type sharing struct{ *session }

// share writes the stored value into the manifest.
func (s sharing) share(c *claim, step *Step) error {
	if s.isSecretValue(c.Path) && s.secrets == interactive.KeepSecrets {
		return errSecret
	}
	// stringData is never seen: its values are stored as data.
	at := c.Path
	if s.isSecretValue(at) && *at[0].FieldName == "stringData" && len(at) == 2 {
		at = fieldpath.MakePathOrDie("data", *at[1].FieldName)
	}
	live, err := s.storedAt(c, at)
	if err != nil {
		return err
	}
	err = s.try(c, func(d *edit.Doc, prefix fieldpath.Path) error {
		if !at.Equals(c.Path) {
			if err := d.Set(below(prefix, at), live); err != nil {
				return err
			}
			return d.Remove(below(prefix, c.Path))
		}
		return d.Set(below(prefix, at), live)
	})
	if err != nil {
		return err
	}
	step.Written = live
	if field := at.String(); field != step.Field {
		step.At = field
	}
	step.Consequences = s.consequences(c, at, live)
	return nil
}

// isSecretValue reports whether a field holds what a Secret keeps.
func (s sharing) isSecretValue(path fieldpath.Path) bool {
	if !s.isSecret() || len(path) == 0 || path[0].FieldName == nil {
		return false
	}
	name := *path[0].FieldName
	return name == "data" || name == "stringData" || path.String() == ".metadata.annotations."+client.LastApplied
}

func (s *session) isSecret() bool {
	return s.Write.Kind.Group == "" && s.Write.Kind.Kind == "Secret"
}

// storedAt is the stored value at a path, in the terms of the manifest's
// version.
func (s sharing) storedAt(c *claim, at fieldpath.Path) (any, error) {
	version, _ := s.Write.Kind.ToAPIVersionAndKind()
	stored, _ := s.Object.At(version)
	switch found := s.Shape.Lookup(stored, at); len(found) {
	case 1:
		return found[0], nil
	case 0:
		first := c.Conflicts[0]
		if at.String() != first.Field || first.LiveMissing {
			return nil, errNothingStored
		}
		return first.Live, nil
	default:
		return nil, errSeveral
	}
}

// consequences are what the owners may do with a shared field.
func (s sharing) consequences(c *claim, at fieldpath.Path, live any) []Consequence {
	var out []Consequence
	for _, conflict := range c.Conflicts {
		k := Consequence{Manager: conflict.Manager, Kind: Agrees}
		switch {
		case conflict.Operation != managedfields.Apply:
			k.Kind = Overwrites
		case s.onlySpelled(conflict, at, live) && s.conflictsForOwner(conflict, at):
			k.Kind, k.Spelling = Conflicts, conflict.Applied
		}
		out = append(out, k)
	}
	return out
}

// onlySpelled reports whether the server stores what the manifest asked for as
// the live value.
func (s sharing) onlySpelled(c report.Conflict, at fieldpath.Path, live any) bool {
	if c.AppliedMissing || reflect.DeepEqual(c.Applied, live) {
		return false
	}
	found := s.Shape.Lookup(resulting(s.before), at)
	return len(found) == 1 && reflect.DeepEqual(found[0], live)
}

// conflictsForOwner reports whether the owner's next apply conflicts with
// this manager if it writes the field as this manifest did.
func (s sharing) conflictsForOwner(c report.Conflict, at fieldpath.Path) bool {
	object := resulting(s.latest)
	if object == nil {
		return false
	}
	state := s.In(object)
	state.Send = engine.Simulate
	theirs := state.First(managedfields.Role{
		Manager: c.Manager, Operation: managedfields.Apply, Subresource: s.Write.Subresource,
	}).With(at, c.Applied)
	theirs.Write.Force = false
	return slices.ContainsFunc(theirs.Now().Conflicts, func(c report.Conflict) bool {
		return c.Manager == s.before.Manager && c.Field == at.String()
	})
}

// resulting is the object after an apply, with force where it conflicts.
func resulting(r report.Result) map[string]any {
	if r.Forced != nil {
		return r.Forced.Object
	}
	return r.Object
}

// dropBareItems removes list items with nothing left but their key: such an item is
// still owned, and would stay, empty, once its other owner drops it. One that the live
// object would lose by that stays: a manager that owns a field in an item does not keep
// the item.
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
