package transfer

import (
	"reflect"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/files/edit"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// share: the new owner applies the live values.
func (p *planner) share(map[string]any) (Step, engine.Write, error) {
	step := Step{Kind: Apply, Manager: p.q.To, Does: text.New("%v applies %v with the live value, and shares the ownership", text.By(p.q.To), p.fields())}
	return p.applyLive(step, p.q.ToManifest)
}

// takeByForce: the new owner applies its own values with force.
func (p *planner) takeByForce(map[string]any) (Step, engine.Write, error) {
	step := Step{Kind: Apply, Manager: p.q.To, Force: true, Meant: true, Does: text.New("%v applies its own value of %v with force", text.By(p.q.To), p.fields())}
	return p.applyOwn(step)
}

// own: the new owner, by now the only one, applies its own values.
func (p *planner) own(map[string]any) (Step, engine.Write, error) {
	step := Step{Kind: Apply, Manager: p.q.To, Meant: true, Does: text.New("%v applies its own value of %v", text.By(p.q.To), p.fields())}
	return p.applyOwn(step)
}

// applyOwn applies the given manifest as it is.
func (p *planner) applyOwn(step Step) (Step, engine.Write, error) {
	m := p.q.ToManifest
	step.Manifest, step.Text, step.Source = m.Decoded, string(m.Body), &m.Source
	w := p.Write
	w.Verb, w.Kind, w.Manager, w.Force, w.Subresource = api.Apply, m.Kind, step.Manager, step.Force, ""
	return step, w.WithBody(m.Body, m.Decoded), nil
}

// applyLive applies the configuration of the step's manager with the live
// values of the leaves that the former owner owns.
func (p *planner) applyLive(step Step, m *Manifest) (Step, engine.Write, error) {
	apply, err := p.configurationAt(p.Live, ownership.By(step.Manager), m)
	if err != nil {
		return step, engine.Write{}, err
	}
	var edits []change
	for _, s := range p.subjects {
		for _, leaf := range s.leaves {
			v := conflict.ValueAt(p.Shape, p.Live, leaf).Value
			if have := apply.Shape.Lookup(apply.Body, leaf); len(have) == 1 && reflect.DeepEqual(have[0], v) {
				continue
			}
			apply = apply.With(leaf, v)
			edits = append(edits, change{path: leaf, value: v})
		}
	}
	return p.edited(step, apply, m, edits)
}

// drop: an Apply manager applies its configuration without the fields.
func (p *planner) drop(role managedfields.Role) maker {
	return func(current map[string]any) (Step, engine.Write, error) {
		step := Step{Kind: Apply, Manager: role.Manager, Subresource: role.Subresource, Does: text.New("%v applies its manifest without %v", text.By(role.Manager), p.fields())}
		apply, err := p.configurationAt(current, role, p.q.FromManifest)
		if err != nil {
			return step, engine.Write{}, err
		}
		var edits []change
		for _, s := range p.subjects {
			less, had := apply.Without(s.path)
			if had {
				apply = less
				edits = append(edits, change{path: s.path, remove: true})
			}
		}
		return p.edited(step, apply, manifestFor(role, p.q.FromManifest), edits)
	}
}

// configurationAt is what a role applies to an object: the given manifest, or what it
// applied last, or nothing yet.
func (p *planner) configurationAt(object map[string]any, role managedfields.Role, m *Manifest) (ownership.Apply, error) {
	if m := manifestFor(role, m); m != nil {
		return p.Sending(role, m.Decoded), nil
	}
	state := p.In(object)
	for _, e := range state.Owners.Readable() {
		if e.Role == role {
			return state.Last(e)
		}
	}
	return p.First(role), nil
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
func (p *planner) edited(step Step, apply ownership.Apply, m *Manifest, edits []change) (Step, engine.Write, error) {
	step.Manifest, _ = apply.Body.(map[string]any)
	apply.Write.Force = step.Force
	if m == nil {
		w, err := apply.Write.Send(apply.Body)
		return step, w, err
	}
	step.Source = &m.Source
	text, err := editText(m.Body, p.Shape, edits)
	if err != nil {
		step.NotEdited = err.Error()
		w, err := apply.Write.Send(apply.Body)
		return step, w, err
	}
	step.Text = string(text)
	return step, apply.Write.WithBody(text, apply.Body), nil
}

func editText(text []byte, shape managedfields.Shape, edits []change) ([]byte, error) {
	if len(edits) == 0 {
		return text, nil
	}
	doc, err := edit.Document(text, edit.Options{})
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
