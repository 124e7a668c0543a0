package proof

import (
	"cmp"
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// followable reports whether an edit can be made in memory.
func followable(edit report.Edit) bool {
	switch edit {
	case report.EditStop, report.EditShare, report.EditForce, report.EditMigrate, report.EditLeave,
		report.EditHandOver, report.EditApplier, report.EditAdd:
		return true
	}
	return false
}

// followed is the write once a fix of a finding was followed; why says that it cannot be.
func (p *Prover) followed(f report.Finding, fix report.Fix) (w engine.Write, why text.Text) {
	w = p.written()
	switch fix.Edit {
	case report.EditForce:
		w.Force = true
		return w, why
	case report.EditApplier:
		w.Manager = fix.Manager
		return w, why
	case report.EditMigrate:
		return w.On(p.migrated(fix.Manager)), why
	case report.EditLeave:
		return p.leaving(fix.Manager)
	case report.EditAdd:
		return p.adding(f)
	}
	path := conflict.Paths(p.Shape, p.body)[cmp.Or(f.AskedAs, f.Field)]
	if path == nil && fix.Edit == report.EditHandOver && f.Field == replicas {
		// The manifest has dropped it.
		return w.On(p.handedOver(fix.Manager, fieldpath.MakePathOrDie("spec", "replicas"))), why
	}
	if path == nil {
		return w, text.New("the manifest has no such field")
	}
	if fix.Edit == report.EditShare {
		return p.sharing(f, path)
	}
	if why = p.guts(path); !why.IsZero() {
		return w, why
	}
	if fix.Edit == report.EditHandOver {
		w = w.On(p.handedOver(fix.Manager, path))
	}
	body, _ := fieldtree.Without(p.Shape, p.body, path)
	return p.sending(w, body)
}

// written is the write, on the migrated object where that comes first.
func (p *Prover) written() engine.Write {
	if p.migrates == "" {
		return p.Write
	}
	return p.Write.On(p.live())
}

// live is the object that a fix is followed on: the live one, migrated where that comes first.
func (p *Prover) live() map[string]any {
	if p.migrates == "" {
		return p.answer.Live
	}
	return p.migrated(p.migrates)
}

// gone is what the write removes at a field, or around it.
func (p *Prover) gone(field string) string {
	for _, c := range p.answer.Changes {
		if c.Kind == report.Removed && managedfields.Within(field, c.Field) {
			field = c.Field
		}
	}
	return field
}

// adding is the write with what it removes at a field, or around it.
func (p *Prover) adding(f report.Finding) (engine.Write, text.Text) {
	path := conflict.Paths(p.Shape, p.answer.Live)[p.gone(f.Field)]
	live := p.Shape.Lookup(p.answer.Live, path)
	if path == nil || len(live) != 1 {
		return p.Write, text.New("there is no live value to write")
	}
	return p.sending(p.written(), fieldtree.With(p.Shape, p.body, path, live[0]))
}

// sharing is the write with the live value at a path of the manifest; what stringData asks for is
// live in data.
func (p *Prover) sharing(f report.Finding, path fieldpath.Path) (engine.Write, text.Text) {
	at, body := path, any(p.body)
	if secret := p.Write.Kind.Group == "" && p.Write.Kind.Kind == "Secret"; secret && len(path) == 2 &&
		path[0].FieldName != nil && *path[0].FieldName == "stringData" {
		at = fieldpath.MakePathOrDie("data", *path[1].FieldName)
		body, _ = fieldtree.Without(p.Shape, body, path)
	}
	live := p.Shape.Lookup(p.answer.Live, at)
	switch {
	case f.Shared != nil && !f.Shared.Missing:
		live = []any{f.Shared.Value}
	case len(live) != 1:
		return p.Write, text.New("there is no live value to write")
	}
	return p.sending(p.written(), fieldtree.With(p.Shape, body, at, live[0]))
}

func (p *Prover) sending(w engine.Write, body any) (engine.Write, text.Text) {
	sent, err := w.Send(body)
	if err != nil {
		return w, text.New("the manifest cannot be written without it")
	}
	return sent, text.Text{}
}

// guts says that a manifest would lose too much with a field: a list or a map with all that is in it.
// Giving a value up does not mean that.
func (p *Prover) guts(path fieldpath.Path) text.Text {
	values := p.Shape.Lookup(p.body, path)
	if len(values) != 1 {
		return text.Text{}
	}
	loses := text.New("the manifest would lose all of %v", text.Path(path.String()))
	m, _ := values[0].(map[string]any)
	list, _ := values[0].([]any)
	if len(m)+len(list) > 0 {
		return loses
	}
	return text.Text{}
}

// leaving is the write without any field that a manager owns with another value.
func (p *Prover) leaving(manager string) (engine.Write, text.Text) {
	paths := conflict.Paths(p.Shape, p.body)
	var body any = p.body
	found := false
	for _, field := range p.takenFrom(manager) {
		path := paths[field]
		if path == nil {
			continue
		}
		if why := p.guts(path); !why.IsZero() {
			return p.Write, why
		}
		found = true
		body, _ = fieldtree.Without(p.Shape, body, path)
	}
	if !found {
		return p.Write, text.New("the manifest has none of its fields")
	}
	return p.sending(p.written(), body)
}

// takenFrom are the fields that the write takes, or wants, from a manager.
func (p *Prover) takenFrom(manager string) []string {
	var out []string
	for _, c := range p.answer.Conflicts {
		if c.Manager == manager {
			out = append(out, c.Field)
		}
	}
	for _, t := range p.answer.Transfers {
		if t.Manager == manager && t.Kind == report.Overridden {
			out = append(out, t.Field)
		}
	}
	return out
}

// migrated is the live object with the fields that a manager owns and the manifest or the
// last-applied annotation has in the entry of the one that applies, and its other fields in
// none.
func (p *Prover) migrated(from string) map[string]any {
	claimed := p.manifest().Union(p.dropped(from))
	es := ownership.Edit(p.answer.Live)
	applier := ownership.By(p.Write.Manager)
	for _, e := range managedfields.Of(p.answer.Live).Readable() {
		if e.Manager != from || e.Subresource != "" || e.Role == applier {
			continue
		}
		es.Remove(func(other managedfields.Entry) bool { return other.Writer == e.Writer })
		e.Role, e.Set = applier, e.Set.Intersection(claimed)
		es.Join(e)
	}
	return es.On(p.answer.Live)
}

// manifest are the paths of the manifest.
func (p *Prover) manifest() *fieldpath.Set {
	set := fieldpath.NewSet()
	for _, path := range p.Shape.Paths(p.body) {
		set.Insert(path.Copy())
	}
	return set
}

// dropped are the fields that a manager owns, that the last-applied annotation has and the
// manifest lacks: once they are migrated, the next apply removes them.
func (p *Prover) dropped(from string) *fieldpath.Set {
	set := fieldpath.NewSet()
	annotation, _, _ := unstructured.NestedString(p.answer.Live, "metadata", "annotations", client.LastApplied)
	var applied map[string]any
	if json.Unmarshal([]byte(annotation), &applied) != nil {
		return set
	}
	for _, path := range p.Shape.Paths(applied) {
		if !p.Shape.Has(p.body, path) {
			set.Insert(path.Copy())
		}
	}
	owned := fieldpath.NewSet()
	for _, e := range managedfields.Of(p.answer.Live).Readable() {
		if e.Manager == from && e.Subresource == "" {
			owned = owned.Union(e.Set)
		}
	}
	// What is atomic now may be owned key by key.
	return set.Intersection(above(owned))
}

// above are the paths of a set, and all that they are in.
func above(set *fieldpath.Set) *fieldpath.Set {
	out := fieldpath.NewSet()
	set.Iterate(func(path fieldpath.Path) {
		for n := 1; n <= len(path); n++ {
			out.Insert(path[:n].Copy())
		}
	})
	return out
}

// handedOver is the live object with a field in the entry of the controller that scales it,
// and in none of the one that applies.
func (p *Prover) handedOver(from string, path fieldpath.Path) map[string]any {
	live := p.live()
	es, set := ownership.Edit(live), fieldpath.NewSet(path)
	es.Prune(func(e managedfields.Entry) bool { return e.Manager == from }, set)
	version, _ := live["apiVersion"].(string)
	es.Join(managedfields.Entry{Set: set, Writer: managedfields.Writer{
		Role: managedfields.Role{
			Manager:     writers.ControllerManager,
			Operation:   managedfields.Update,
			Subresource: "scale",
		},
		APIVersion: cmp.Or(version, p.Write.Kind.GroupVersion().String()),
	}})
	return es.On(live)
}
