package view

import (
	"github.com/ssactl/ssactl/internal/plan/owners"
	"github.com/ssactl/ssactl/internal/render/model"
)

// shownOfValue is how many lines of one value are enough where a format folds.
const shownOfValue = 10

// blame is the object's YAML, each line with its owners in a margin.
func (w owner) blame() []model.Block {
	l := model.Listing{Shown: shownOfValue}
	for lines := yamlLines(w.of.Root); len(lines) > 0; {
		n := 1
		for n < len(lines) && lines[n].field == lines[0].field {
			n++
		}
		l.Runs = append(l.Runs, w.run(lines[:n]))
		lines = lines[n:]
	}
	out := []model.Block{w.legend()}
	if l.Runs != nil {
		out = append(out, l)
	}
	out = append(out, w.repeated()...)
	return append(out, w.stale()...)
}

// run are the lines of one field with their owners.
func (w owner) run(lines []yamlLine) model.Run {
	f := lines[0].field
	run := model.Run{}
	role := model.Plain
	switch {
	case f.Context:
		role = model.Faint
	case len(f.Claims) > 0:
		run.Margin = []model.Text{{model.Strong.Of(claimLetters(f.Claims))}, w.claimNames(f.Claims), model.Say(w.claimAge(f.Claims))}
	case f.State == owners.Unowned:
		run.Margin = []model.Text{model.Say("-")}
	}
	for _, l := range lines {
		run.Lines = append(run.Lines, model.Text{role.Of(l.String())})
	}
	return run
}

// repeated are the items that no path tells apart.
func (w owner) repeated() []model.Block {
	var paths []string
	for _, f := range w.of.Rows() {
		if f.Repeated && (paths == nil || paths[len(paths)-1] != f.Name) {
			paths = append(paths, f.Name)
		}
	}
	if paths == nil {
		return nil
	}
	l := fields(paths)
	l.Shown = 0
	return []model.Block{part("Repeated keys: such items are owned together, as one field", l)}
}

// stale are the claims that no line stands for.
func (w owner) stale() []model.Block {
	if len(w.of.Stale) == 0 {
		return nil
	}
	t := model.Table{Columns: make([]model.Column, 2)}
	for _, f := range w.of.Stale {
		t.Rows = append(t.Rows, []model.Text{{model.Strong.Of(claimLetters(f.Claims))}, {model.Field.Of(f.Name)}})
	}
	return []model.Block{part("Owned, but not in the object", t)}
}
