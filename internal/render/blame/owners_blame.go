package blame

import (
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
)

// shownOfValue is how many lines of one value are enough where a format folds.
const shownOfValue = 10

// Blame is the object's YAML, each line with its owners in a margin.
func (w Owner) Blame() []model.Block {
	l := model.Listing{Shown: shownOfValue}
	for lines := yamlLines(w.Of.Root); len(lines) > 0; {
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
func (w Owner) run(lines []yamlLine) model.Run {
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
func (w Owner) repeated() []model.Block {
	var paths []string
	for _, f := range w.Of.Rows() {
		if f.Repeated && (paths == nil || paths[len(paths)-1] != f.Name) {
			paths = append(paths, f.Name)
		}
	}
	if paths == nil {
		return nil
	}
	l := page.Fields(paths)
	l.Shown = 0
	return []model.Block{page.Part("Repeated keys: such items are owned together, as one field", l)}
}

// stale are the claims that no line stands for.
func (w Owner) stale() []model.Block {
	if len(w.Of.Stale) == 0 {
		return nil
	}
	t := model.Table{Columns: make([]model.Column, 2)}
	for _, f := range w.Of.Stale {
		t.Rows = append(t.Rows, []model.Text{{model.Strong.Of(claimLetters(f.Claims))}, {model.Field.Of(f.Name)}})
	}
	return []model.Block{page.Part("Owned, but not in the object", t)}
}
