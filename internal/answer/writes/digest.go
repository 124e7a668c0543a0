package writes

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// digest is what formats with little room show of a run: its groups, and what was not simulated.
func (w *Run) digest(t *model.Tail, e stream.Ending) {
	w.Digest(t)
	t.NotSimulated = []string{}
	if o := e.Report.Overview; o != nil {
		for _, n := range o.Notes {
			if n.Rule == "" {
				t.NotSimulated = append(t.NotSimulated, n.Note)
			}
		}
	}
}

// Digest gives a tail the groups of a run as findings, one each, and what force takes.
func (w *Run) Digest(t *model.Tail) {
	t.Lost = w.Losses()
	add := func(g *finding.Group, f model.Finding) {
		f.Objects = g.Objects
		t.Findings = append(t.Findings, f)
	}
	for _, g := range w.Groups.Sorted() {
		if len(g.Rows) > 0 {
			add(g, w.annotation(g, g.Rows[0], false))
		}
	}
	for _, g := range w.cautions.Sorted() {
		add(g, remark(caution(g, w.objects)))
	}
	for _, g := range w.warnings.Sorted() {
		add(g, remark(g.Finding))
	}
}

// Losses say what managers lose by force, a line each; empty for nothing.
func (w *Run) Losses() []string {
	out := []string{}
	for _, l := range w.lost.list {
		out = append(out, l.String())
	}
	return out
}

// loss is what a manager loses by force.
type loss struct {
	manager  string
	fields   int
	examples []string
}

// lossExamples is how many fields of a manager are named.
const lossExamples = 2

// String is the loss in a line.
func (l *loss) String() string {
	return fmt.Sprintf("%s loses %s: %s", l.manager, words.Count(l.fields, "field"),
		words.Some(l.examples, lossExamples, l.fields))
}

// lostField is a field that a manager loses by force, with the value that it had and gets.
type lostField struct{ manager, says string }

// lostIn are the fields that managers lose by a forced apply, or would lose if one that
// conflicts forced.
func lostIn(r report.Result) []lostField {
	if r.Forced == nil && len(r.Conflicts) > 0 {
		return conflicting(r)
	}
	transfers, changes := r.Transfers, r.Changes
	if r.Forced != nil {
		transfers, changes = r.Forced.Transfers, r.Forced.Changes
	}
	values := map[string]string{}
	for _, c := range changes {
		values[c.Field] = " (" + becomes(c).String() + ")"
	}
	var out []lostField
	for _, t := range transfers {
		if t.Kind == report.Overridden && t.Cause == report.ByForce {
			out = append(out, lostField{t.Manager, t.Field + " of " + words.Object(r.Target) + values[t.Field]})
		}
	}
	return out
}

// conflicting are the fields that an apply conflicts over, where nothing was asked with force.
func conflicting(r report.Result) []lostField {
	var out []lostField
	for _, c := range r.Conflicts {
		change := report.Change{Field: c.Field, Kind: report.Modified, Before: c.Live, After: c.Applied}
		says := fmt.Sprintf("%s of %s (%v)", c.Field, words.Object(r.Target), becomes(change))
		out = append(out, lostField{c.Manager, says})
	}
	return out
}

// Taking are the facts with what managers lose by force.
func (f Facts) Taking(r report.Result) Facts {
	f.lost = lostIn(r)
	return f
}

// addLost counts what managers lose.
func (w *Run) addLost(list []lostField) {
	for _, t := range list {
		l := w.lost.of(t.manager, func() *loss { return &loss{manager: t.manager} })
		if l == nil {
			continue
		}
		if l.fields++; len(l.examples) < lossExamples {
			l.examples = append(l.examples, t.says)
		}
	}
}
