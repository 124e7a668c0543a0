package transfer

import (
	"reflect"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/engine/extract"
	"github.com/ssactl/ssactl/internal/files/edit"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/plan/explain"
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
	w := p.object
	w.Verb, w.Kind, w.Manager, w.Force, w.Subresource = api.Apply, m.Kind, step.Manager, step.Force, ""
	return step, w.WithBody(m.Body, m.Decoded), nil
}

// applyLive applies the configuration of the step's manager with the live
// values of the leaves that the former owner owns.
func (p *planner) applyLive(step Step, m *Manifest) (Step, engine.Write, error) {
	w, body, err := p.configurationOf(step.Manager, m)
	if err != nil {
		return step, w, err
	}
	shape := managedfields.ShapeOf(p.server.Types(w.Kind).ParseableType)
	var edits []change
	for _, s := range p.subjects {
		for _, leaf := range s.leaves {
			v := explain.ValueAt(p.shape, p.live, leaf).Value
			if have := shape.Lookup(body, leaf); len(have) == 1 && reflect.DeepEqual(have[0], v) {
				continue
			}
			body, _ = fieldtree.With(shape, body, leaf, v).(map[string]any)
			edits = append(edits, change{path: leaf, value: v})
		}
	}
	return p.edited(step, w, m, body, edits)
}

// drop: an Apply manager applies its configuration without the fields.
func (p *planner) drop(role managedfields.Role) maker {
	return func(current map[string]any) (Step, engine.Write, error) {
		step := Step{Kind: Apply, Manager: role.Manager, Subresource: role.Subresource, Does: text.New("%v applies its manifest without %v", text.By(role.Manager), p.fields())}
		w, body, err := p.configurationAt(current, role, p.q.FromManifest)
		if err != nil {
			return step, w, err
		}
		shape := managedfields.ShapeOf(p.server.Types(w.Kind).ParseableType)
		var edits []change
		for _, s := range p.subjects {
			less, had := fieldtree.Without(shape, body, s.path)
			if had {
				body, _ = less.(map[string]any)
				edits = append(edits, change{path: s.path, remove: true})
			}
		}
		return p.edited(step, w, p.manifestFor(role, p.q.FromManifest), body, edits)
	}
}

// configurationOf is what a manager applies to the main resource: the given
// manifest, or what it applied last, or nothing yet.
func (p *planner) configurationOf(manager string, m *Manifest) (engine.Write, map[string]any, error) {
	return p.configurationAt(p.live, managedfields.Role{Manager: manager, Operation: managedfields.Apply}, m)
}

func (p *planner) configurationAt(object map[string]any, role managedfields.Role, m *Manifest) (engine.Write, map[string]any, error) {
	w := p.object
	w.Verb, w.Manager, w.Subresource = api.Apply, role.Manager, role.Subresource
	w = w.WithBody(nil, nil)
	if m := p.manifestFor(role, m); m != nil {
		w.Kind = m.Kind
		return w, m.Decoded, nil
	}
	for _, e := range managedfields.Of(object).Readable() {
		if e.Role == role {
			return extract.Last(p.ctx, p.server, extract.On(p.object, object), e)
		}
	}
	return w, extract.Empty(p.live), nil
}

// manifestFor is the given manifest where a role applies it: manifests are
// those of the main resource.
func (p *planner) manifestFor(role managedfields.Role, m *Manifest) *Manifest {
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

// edited completes a step that applies body, which is m with edits; the text of
// m is edited too, so that its comments stay. Without m the body goes as JSON.
func (p *planner) edited(step Step, w engine.Write, m *Manifest, body map[string]any, edits []change) (Step, engine.Write, error) {
	step.Manifest = body
	w.Force = step.Force
	if m == nil {
		w, err := extract.Send(w, body)
		return step, w, err
	}
	step.Source = &m.Source
	text, err := editText(m.Body, p.shape, edits)
	if err != nil {
		step.NotEdited = err.Error()
		w, err := extract.Send(w, body)
		return step, w, err
	}
	step.Text = string(text)
	return step, w.WithBody(text, body), nil
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
