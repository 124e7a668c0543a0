package transfer

import (
	"encoding/json"
	"fmt"
	"slices"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/text"
)

// disown: the fields leave an Update entry of the former owner, and the
// last-applied annotation that client-side apply would delete them by, where the
// former owner owns it: an edit makes it an owner. An entry that owns nothing else
// goes.
func (p *planner) disown(role managedfields.Role) maker {
	return func(current map[string]any) (Step, engine.Write, error) {
		step := Step{Kind: Patch, Manager: role.Manager, Does: text.New("%v %v the Update entry of %v", p.fields(), p.agree("leaves", "leave"), text.By(role.Manager))}
		err := p.edit(&step, current, role, func(es *ownership.Entries, e managedfields.Entry) {
			es.Prune(ownership.Is(e), p.inSubjects(e.Set))
		})
		if err != nil {
			return step, engine.Write{}, err
		}
		if note, ok := p.annotationWithout(current); ok && slices.Contains(client.AnnotationUpdaters(current), role.Manager) {
			step.Does = text.New("%v, and the last-applied annotation", step.Does)
			step.Patch = append(step.Patch, Operation{Op: "replace", Path: client.LastAppliedPointer, Value: note})
		}
		w, err := p.patching(step)
		return step, w, err
	}
}

// migrate: an Update entry of the former owner becomes an Apply entry.
func (p *planner) migrate(role managedfields.Role) maker {
	return func(current map[string]any) (Step, engine.Write, error) {
		step := Step{Kind: Patch, Manager: role.Manager, Does: text.New("the Update entry of %v becomes an Apply entry, so that its applies can drop fields", text.By(role.Manager))}
		err := p.edit(&step, current, role, func(es *ownership.Entries, e managedfields.Entry) { es.Become(ownership.Is(e), managedfields.Apply) })
		if err != nil {
			return step, engine.Write{}, err
		}
		applier := role
		applier.Operation = managedfields.Apply
		if managedfields.Of(current).Roles()[applier] != nil {
			return step, engine.Write{}, fmt.Errorf(program.In("%s has an Apply entry already, with which this one is to be united: ssactl migrate does that"), role.Manager)
		}
		w, err := p.patching(step)
		return step, w, err
	}
}

// edit makes the patch that edits the first entry of a role which owns some of the fields:
// there may be several, at several API versions. It tests that the entry still stands
// where the patch means it: the steps before change the resourceVersion in an option, to
// one that is not known yet.
func (p *planner) edit(step *Step, current map[string]any, role managedfields.Role, edit func(*ownership.Entries, managedfields.Entry)) error {
	entries := managedfields.Of(current).Readable()
	i := slices.IndexFunc(entries, func(e managedfields.Entry) bool { return e.Role == role && p.ownsSome(e) })
	if i < 0 {
		return fmt.Errorf("the entry of %s is gone by then", role.Manager)
	}
	es := ownership.Edit(current)
	edit(es, entries[i])
	patch, err := es.Patch()
	step.Patch = append(es.Guards(ownership.Manager, ownership.Operation), patch...)
	return err
}

// inSubjects are the paths of a set that are a field which is handed over, or
// in one.
func (p *planner) inSubjects(set *fieldpath.Set) *fieldpath.Set {
	out := fieldpath.NewSet()
	set.Iterate(func(path fieldpath.Path) {
		for _, s := range p.subjects {
			if within(path, s.path) {
				out.Insert(path.Copy())
			}
		}
	})
	return out
}

// annotationWithout is the last-applied annotation without the fields; false
// where there is none that can be read and has them.
func (p *planner) annotationWithout(object map[string]any) (string, bool) {
	note, _ := fieldtree.Value(object, "metadata", "annotations", client.LastApplied).(string)
	var applied any
	if kjson.Unmarshal([]byte(note), &applied) != nil {
		return "", false
	}
	found := false
	for _, s := range p.subjects {
		less, had := fieldtree.Without(p.Shape, applied, s.path)
		applied, found = less, found || had
	}
	if !found {
		return "", false
	}
	text, err := json.Marshal(applied)
	if err != nil {
		return "", false
	}
	return string(text) + "\n", true
}

// patching is the write of a step with a JSON patch.
func (p *planner) patching(step Step) (engine.Write, error) {
	return p.Patching(step.Manager, step.Subresource, step.Patch)
}
