package transfer

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/files/edit"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// steps makes the steps of options.
type steps struct{ *subject }

// maker makes a step for an object as the former steps left it. An error means
// that there can be no such step.
type maker func(current map[string]any) (Step, engine.Write, error)

// share: the new owner applies the live values.
func (s steps) share(map[string]any) (Step, engine.Write, error) {
	step := Step{
		Kind:    Apply,
		Manager: s.q.To,
		Does:    text.New("%v applies %v with the live value, and shares the ownership", text.By(s.q.To), s.named()),
	}
	return s.applyLive(step, s.q.ToManifest)
}

// handOver: a manager made for this applies the fields, beside what it may have
// from an earlier hand-over of the object.
func (s steps) handOver(map[string]any) (Step, engine.Write, error) {
	step := Step{
		Kind:    Apply,
		Manager: s.q.Between,
		Does: text.New(
			"%v, a manager made for this, applies %v alone with the live value",
			text.By(s.q.Between),
			s.named(),
		),
	}
	return s.applyLive(step, nil)
}

// takeByForce: the new owner applies its own values with force.
func (s steps) takeByForce(map[string]any) (Step, engine.Write, error) {
	return s.applyOwn(
		Step{Force: true, Does: text.New("%v applies its own value of %v with force", text.By(s.q.To), s.named())},
	)
}

// own: the new owner, by now the only one, applies its own values.
func (s steps) own(map[string]any) (Step, engine.Write, error) {
	return s.applyOwn(Step{Does: text.New("%v applies its own value of %v", text.By(s.q.To), s.named())})
}

// applyOwn applies the given manifest as it is.
func (s steps) applyOwn(step Step) (Step, engine.Write, error) {
	m := s.q.ToManifest
	step.Kind, step.Manager, step.Meant = Apply, s.q.To, true
	step.Manifest, step.Text, step.Source = m.Decoded, string(m.Body), &m.Source
	w := s.Write
	w.Verb, w.Kind, w.Manager, w.Force, w.Subresource = api.Apply, m.Kind, step.Manager, step.Force, ""
	return step, w.WithBody(m.Body, m.Decoded), nil
}

// applyLive applies the configuration of the step's manager with the live
// values of the leaves that the former owner owns.
func (s steps) applyLive(step Step, m *Manifest) (Step, engine.Write, error) {
	apply, err := s.configurationAt(s.Live, ownership.By(step.Manager), m)
	if err != nil {
		return step, engine.Write{}, err
	}
	var edits []change
	for _, f := range s.fields {
		for _, leaf := range f.leaves {
			v := conflict.ValueAt(s.Shape, s.Live, leaf).Value
			if have := apply.Shape.Lookup(apply.Body, leaf); len(have) == 1 && reflect.DeepEqual(have[0], v) {
				continue
			}
			apply = apply.With(leaf, v)
			edits = append(edits, change{path: leaf, value: v})
		}
	}
	return s.edited(step, apply, m, edits)
}

// drop: an Apply manager applies its configuration without the fields.
func (s steps) drop(role managedfields.Role) maker {
	return func(current map[string]any) (Step, engine.Write, error) {
		step := Step{
			Kind:        Apply,
			Manager:     role.Manager,
			Subresource: role.Subresource,
			Does:        text.New("%v applies its manifest without %v", text.By(role.Manager), s.named()),
		}
		m := manifestFor(role, s.q.FromManifest)
		apply, err := s.configurationAt(current, role, m)
		if err != nil {
			return step, engine.Write{}, err
		}
		var edits []change
		for _, f := range s.fields {
			if less, had := apply.Without(f.path); had {
				apply = less
				edits = append(edits, change{path: f.path, remove: true})
			}
		}
		return s.edited(step, apply, m, edits)
	}
}

// configurationAt is what a role applies to an object: the given manifest, or what it
// applied last, or nothing yet.
func (s steps) configurationAt(object map[string]any, role managedfields.Role, m *Manifest) (ownership.Apply, error) {
	if m := manifestFor(role, m); m != nil {
		return s.Sending(role, m.Decoded), nil
	}
	state := s.In(object)
	for _, e := range state.Owners().Readable() {
		if e.Role == role {
			return state.Last(e)
		}
	}
	return s.First(role), nil
}

// manifestFor is the given manifest where a role applies it: manifests are
// those of the main resource.
func manifestFor(role managedfields.Role, m *Manifest) *Manifest {
	if role.Subresource != "" {
		return nil
	}
	return m
}

// change is an edit of a manifest.
type change struct {
	path   fieldpath.Path
	value  any
	remove bool
}

// edited completes a step that applies a body, which is m with edits; the text of
// m is edited too, so that its comments stay. Without m the body goes as JSON.
func (s steps) edited(step Step, apply ownership.Apply, m *Manifest, edits []change) (Step, engine.Write, error) {
	step.Manifest, _ = apply.Body.(map[string]any)
	apply.Write.Force = step.Force
	if m != nil {
		step.Source = &m.Source
		text, err := editText(m.Body, s.Shape, edits)
		if err == nil {
			step.Text = string(text)
			return step, apply.Write.WithBody(text, apply.Body), nil
		}
		step.NotEdited = err.Error()
	}
	w, err := apply.Write.Send(apply.Body)
	return step, w, err
}

func editText(text []byte, shape managedfields.Shape, edits []change) ([]byte, error) {
	if len(edits) == 0 {
		return text, nil
	}
	doc, err := edit.Document(text)
	if err != nil {
		return nil, err
	}
	doc.Within(nil, shape)
	for _, e := range edits {
		if e.remove {
			err = doc.Remove(e.path)
		} else {
			err = doc.Set(e.path, e.value)
		}
		if err != nil {
			return nil, err
		}
	}
	return doc.Bytes(), nil
}

// disown: the fields leave an Update entry of the former owner, and the
// last-applied annotation that client-side apply would delete them by, where the
// former owner owns it: an edit makes it an owner. An entry that owns nothing else
// goes.
func (s steps) disown(role managedfields.Role) maker {
	return func(current map[string]any) (Step, engine.Write, error) {
		step := Step{
			Kind:    Patch,
			Manager: role.Manager,
			Does:    text.New("%v %v the Update entry of %v", s.named(), s.agree("leaves", "leave"), text.By(role.Manager)),
		}
		err := s.edit(&step, current, role, func(es *ownership.Entries, e managedfields.Entry) {
			gone := fieldpath.NewSet()
			e.Set.Iterate(func(path fieldpath.Path) {
				if slices.ContainsFunc(s.fields, func(f handed) bool { return within(path, f.path) }) {
					gone.Insert(path.Copy())
				}
			})
			es.Prune(ownership.Is(e), gone)
		})
		if err != nil {
			return step, engine.Write{}, err
		}
		if note, ok := s.annotationWithout(current); ok && slices.Contains(client.AnnotationUpdaters(current), role.Manager) {
			step.Does = text.New("%v, and the last-applied annotation", step.Does)
			step.Patch = append(step.Patch, Operation{Op: "replace", Path: client.LastAppliedPointer, Value: note})
		}
		return s.patching(step)
	}
}

// becomeApply: an Update entry of the former owner becomes an Apply entry.
func (s steps) becomeApply(role managedfields.Role) maker {
	return func(current map[string]any) (Step, engine.Write, error) {
		step := Step{
			Kind:    Patch,
			Manager: role.Manager,
			Does: text.New(
				"the Update entry of %v becomes an Apply entry, so that its applies can drop fields",
				text.By(role.Manager),
			),
		}
		err := s.edit(
			&step,
			current,
			role,
			func(es *ownership.Entries, e managedfields.Entry) { es.Become(ownership.Is(e), managedfields.Apply) },
		)
		if err != nil {
			return step, engine.Write{}, err
		}
		applier := role
		applier.Operation = managedfields.Apply
		if managedfields.Of(current).Roles()[applier] != nil {
			return step, engine.Write{}, fmt.Errorf(
				program.In("%s has an Apply entry already, with which this one is to be united: ssactl migrate does that"),
				role.Manager,
			)
		}
		return s.patching(step)
	}
}

// edit makes the patch that edits the first entry of a role which owns some of the fields:
// there may be several, at several API versions. It tests that the entry still stands
// where the patch means it: the steps before change the resourceVersion in an option, to
// one that is not known yet.
func (s steps) edit(
	step *Step,
	current map[string]any,
	role managedfields.Role,
	edit func(*ownership.Entries, managedfields.Entry),
) error {
	entries := managedfields.Of(current).Readable()
	i := slices.IndexFunc(entries, func(e managedfields.Entry) bool { return e.Role == role && s.ownsSome(e) })
	if i < 0 {
		return fmt.Errorf("the entry of %s is gone by then", role.Manager)
	}
	es := ownership.Edit(current)
	edit(es, entries[i])
	patch, err := es.Patch()
	step.Patch = append(es.Guards(ownership.Manager, ownership.Operation), patch...)
	return err
}

// patching is a step with the write of its JSON patch.
func (s steps) patching(step Step) (Step, engine.Write, error) {
	w, err := s.Patching(step.Manager, step.Subresource, step.Patch)
	return step, w, err
}

// annotationWithout is the last-applied annotation without the fields; false
// where there is none that can be read and has them.
func (s *subject) annotationWithout(object map[string]any) (string, bool) {
	note, _ := fieldtree.Value(object, "metadata", "annotations", client.LastApplied).(string)
	var applied any
	if kjson.Unmarshal([]byte(note), &applied) != nil {
		return "", false
	}
	found := false
	for _, f := range s.fields {
		less, had := fieldtree.Without(s.Shape, applied, f.path)
		applied, found = less, found || had
	}
	text, err := json.Marshal(applied)
	if !found || err != nil {
		return "", false
	}
	return string(text) + "\n", true
}

// controls: the controller writes another value, as it will sooner or later.
func (s steps) controls(current map[string]any) (Step, engine.Write, error) {
	step := Step{
		Kind:    ByItself,
		Manager: s.q.To,
		Meant:   true,
		Does: text.New(
			"%v sets %v to another value when it has reason to, and owns %v", text.By(s.q.To), s.named(),
			s.agree("it", "them"),
		),
	}
	if len(s.fields) == 1 && scales(s.Server, s.Write, s.fields[0].path) {
		w := s.Write
		w.Verb, w.Manager, w.Force = api.MergePatch, s.q.To, false
		step.Subresource, w.Subresource = "scale", "scale"
		n, _ := s.fields[0].value.Value.(int64)
		return step, w.WithBody(fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, n+1), nil), nil
	}
	for _, f := range s.fields {
		for _, leaf := range f.leaves {
			other, ok := fieldtree.Other(conflict.ValueAt(s.Shape, current, leaf).Value)
			if !ok || managedfields.IsKey(leaf) {
				continue
			}
			for _, pointer := range fieldtree.Pointers(s.Shape, current, leaf) {
				step.Patch = append(step.Patch, Operation{Op: "replace", Path: pointer, Value: other})
			}
		}
	}
	if len(step.Patch) == 0 {
		return step, engine.Write{}, errors.New("no other value can be made up to simulate the controller with")
	}
	ofSpec := func(f handed) bool { return !managedfields.Within(f.field, ".status") }
	if slices.Contains(s.Server.Resource(s.Write.Kind).Subresources, "status") && !slices.ContainsFunc(s.fields, ofSpec) {
		step.Subresource = "status"
	}
	patching, w, err := s.patching(step)
	patching.Patch = nil
	return patching, w, err
}
