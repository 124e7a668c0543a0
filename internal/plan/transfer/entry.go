package transfer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

func isLastApplied(field string) bool {
	return strings.HasPrefix(field, ".metadata.annotations."+client.LastApplied)
}

// disown: the fields leave an Update entry of the former owner, and the
// last-applied annotation that client-side apply would delete them by, where the
// former owner owns it: an edit makes it an owner. An entry that owns nothing else
// goes.
func (p *planner) disown(role managedfields.Role) maker {
	return func(current map[string]any) (Step, engine.Write, error) {
		step := Step{Kind: Patch, Manager: role.Manager, Does: text.New("%v %v the Update entry of %v", p.fields(), p.agree("leaves", "leave"), text.By(role.Manager))}
		e, ok := entryOf(current, role, p.ownsSome)
		if !ok {
			return step, engine.Write{}, fmt.Errorf("the entry of %s is gone by then", role.Manager)
		}
		rest := e.Set.Difference(p.inSubjects(e.Set))
		step.Patch = guarded(e)
		if rest.Leaves().Empty() {
			step.Patch = append(step.Patch, report.RemoveEntry(e))
		} else {
			fields, err := report.ReplaceFields(e, rest)
			if err != nil {
				return step, engine.Write{}, err
			}
			step.Patch = append(step.Patch, fields)
		}
		if note, ok := p.annotationWithout(current); ok && slices.Contains(client.AnnotationUpdaters(current), role.Manager) {
			step.Does = text.New("%v, and the last-applied annotation", step.Does)
			step.Patch = append(step.Patch, Operation{Op: "replace", Path: "/metadata/annotations/" + strings.ReplaceAll(client.LastApplied, "/", "~1"), Value: note})
		}
		w, err := p.patching(step)
		return step, w, err
	}
}

// migrate: an Update entry of the former owner becomes an Apply entry.
func (p *planner) migrate(role managedfields.Role) maker {
	return func(current map[string]any) (Step, engine.Write, error) {
		step := Step{Kind: Patch, Manager: role.Manager, Does: text.New("the Update entry of %v becomes an Apply entry, so that its applies can drop fields", text.By(role.Manager))}
		e, ok := entryOf(current, role, p.ownsSome)
		if !ok {
			return step, engine.Write{}, fmt.Errorf("the entry of %s is gone by then", role.Manager)
		}
		applying := role
		applying.Operation = managedfields.Apply
		if _, has := entryOf(current, applying, anyEntry); has {
			return step, engine.Write{}, fmt.Errorf(program.In("%s has an Apply entry already, with which this one is to be united: ssactl migrate does that"), role.Manager)
		}
		step.Patch = append(guarded(e), report.ReplaceInEntry(e, "operation", managedfields.Apply))
		w, err := p.patching(step)
		return step, w, err
	}
}

// guarded are tests that the entry still stands where the patch means it: the
// steps before change the resourceVersion in an option, to one that is not known yet.
func guarded(e managedfields.Entry) []Operation {
	return []Operation{report.TestEntry(e, "manager", e.Manager), report.TestEntry(e, "operation", e.Operation)}
}

// entryOf is the first entry of a role that is wanted: there may be several, at
// several API versions.
func entryOf(object map[string]any, role managedfields.Role, wanted func(managedfields.Entry) bool) (managedfields.Entry, bool) {
	entries := managedfields.Of(object).Readable()
	i := slices.IndexFunc(entries, func(e managedfields.Entry) bool { return e.Role == role && wanted(e) })
	if i < 0 {
		return managedfields.Entry{}, false
	}
	return entries[i], true
}

func anyEntry(managedfields.Entry) bool { return true }

// inSubjects are the paths of a set that are a field which is handed over, or
// in one.
func (p *planner) inSubjects(set *fieldpath.Set) *fieldpath.Set {
	out := fieldpath.NewSet()
	set.Iterate(func(path fieldpath.Path) {
		for _, s := range p.subjects {
			if len(path) >= len(s.path) && fieldpath.Path(path[:len(s.path)]).Equals(s.path) {
				out.Insert(path.Copy())
			}
		}
	})
	return out
}

// annotationWithout is the last-applied annotation without the fields; false
// where there is none that can be read and has them.
func (p *planner) annotationWithout(object map[string]any) (string, bool) {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	note, _ := annotations[client.LastApplied].(string)
	var applied any
	if kjson.Unmarshal([]byte(note), &applied) != nil {
		return "", false
	}
	found := false
	for _, s := range p.subjects {
		less, had := fieldtree.Without(p.shape, applied, s.path)
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
	body, err := json.Marshal(step.Patch)
	if err != nil {
		return engine.Write{}, fmt.Errorf("encode the patch: %w", err)
	}
	w := p.object
	w.Verb, w.Manager, w.Subresource, w.Force = api.JSONPatch, step.Manager, step.Subresource, false
	return w.WithBody(body, nil), nil
}
