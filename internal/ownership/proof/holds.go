package proof

import (
	"reflect"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// objection is why a fix does not hold; zero where it does:
//
//   - the finding is gone;
//   - no error or warning came that was not there before;
//   - no live value changed that neither the write changed before nor the finding is about;
//   - the manifest still creates the object where there is none.
func (p *Prover) objection(f report.Finding, fix report.Fix) text.Text {
	if fix.Edit == report.EditShare && p.writesOn(f) && !respelled(f) {
		return text.New("%v may write another value next", text.By(f.Manager))
	}
	w, why := p.followed(f, fix)
	if !why.IsZero() {
		return why
	}
	after := p.Ask(w)
	before := p.before()
	switch one := (judgement{finding: f, edit: fix.Edit, before: before, after: after, p: p}); {
	case after.Outcome == report.Failed:
		return text.New("it cannot be simulated")
	case one.stays():
		return text.New("the finding stays")
	default:
		if why := one.worse(); !why.IsZero() {
			return why
		}
		if why := one.moves(); !why.IsZero() {
			return why
		}
	}
	if p.Creates != nil && (fix.Edit == report.EditStop || fix.Edit == report.EditLeave) {
		if conflict.Needed(p.Creates(w), func() []string { return p.Creates(p.Write) }) {
			return text.New("the manifest could no longer create the object")
		}
	}
	return text.Text{}
}

// writesOn reports whether a finding is that a controller which owns the field sets it back:
// sharing its value holds until it writes another one.
func (p *Prover) writesOn(f report.Finding) bool {
	comesBack := f.Rule == risk.NeverSettles || f.Because == string(conflict.NoneSafe)
	return comesBack && slices.ContainsFunc(p.kinds(f), func(kind writers.WriterKind) bool {
		return kind == writers.Controller || kind == writers.Autoscaler
	})
}

// kinds are those of the manager that a finding is about, by its entries that own the field.
func (p *Prover) kinds(f report.Finding) []writers.WriterKind {
	var out []writers.WriterKind
	for _, row := range report.OwnersOf(managedfields.Of(p.answer.Live)) {
		for _, w := range row.Managers {
			if w.Manager == f.Manager && managedfields.Within(row.Field, f.Field) {
				out = append(out, writers.Judge(w, p.Write.Manager, f.Field, p.answer.Live).Kind)
			}
		}
	}
	return out
}

// before is what the write does with nothing in its way: the answer, or that with force
// where it conflicts.
func (p *Prover) before() report.Result {
	if p.answer.Outcome != report.Conflicted {
		return p.answer
	}
	if p.base == nil {
		w := p.Write
		w.Force = true
		base := p.Ask(w)
		if base.Outcome.Refused() {
			base = report.Result{}
		}
		if f := p.answer.Forced; f != nil && f.Outcome.Refused() {
			// What is followed is the write once that is mended, and what is found on it was not said.
			base.Findings = nil
		}
		base.Findings = slices.Concat(p.answer.Findings, base.Findings)
		if p.answer.Forced != nil {
			base.Changes = slices.Concat(base.Changes, p.answer.Forced.Changes)
		}
		p.base = &base
	}
	return *p.base
}

// judgement compares the answers before and after a fix was followed.
type judgement struct {
	finding       report.Finding
	edit          report.Edit
	before, after report.Result
	p             *Prover
}

// about reports whether a field is the one of the finding, or above or below it.
func (j judgement) about(field string) bool {
	of := j.finding.Field
	if field == "" || of == "" {
		return field == of
	}
	if j.edit == report.EditAdd {
		of = j.p.gone(of)
	}
	return managedfields.Within(field, of) || managedfields.Within(of, field)
}

// stays reports whether the rule finds the same again.
func (j judgement) stays() bool {
	return slices.ContainsFunc(j.after.Findings, func(f report.Finding) bool {
		return f.Rule == j.finding.Rule && f.Field == j.finding.Field && weighs(f)
	})
}

func weighs(f report.Finding) bool { return f.Severity != report.SeverityNote }

// worse names an error or a warning that was not there before. On the field itself none may
// be left, but that it is taken, where that is what force means.
func (j judgement) worse() text.Text {
	for _, f := range j.after.Findings {
		known := func(other report.Finding) bool {
			// What is about no field is known by what it says.
			same := f.Field != "" || other.Message.String() == f.Message.String()
			return other.Rule == f.Rule && other.Field == f.Field && same
		}
		switch {
		case !weighs(f) || f.Rule == finding.Caveat.Name:
		case (f.Field == "" || f.Field != j.finding.Field) && slices.ContainsFunc(j.before.Findings, known):
		case j.edit == report.EditForce && j.about(f.Field) && f.Severity != report.SeverityError:
		default:
			says := f.Message
			if !f.Lead.IsZero() {
				says = f.Lead
			}
			return text.New("%v", says)
		}
	}
	return text.Text{}
}

// moves names a live value that changes though the finding does not speak of it, or though
// the field is left to its owner.
func (j judgement) moves() text.Text {
	for _, c := range j.after.Changes {
		switch {
		case follows(c) || j.means(c) || j.adds(c):
		case j.about(c.Field) && takes(j.edit):
		case j.about(c.Field) || !slices.ContainsFunc(j.before.Changes, same(c)):
			if c.Kind == report.Removed {
				return text.New("%v is removed", text.Path(c.Field))
			}
			return text.New("%v becomes %v", text.Path(c.Field), text.ValueOf(c.Field, c.After))
		}
	}
	return text.Text{}
}

// means reports whether a change is what a migration is for: what the manager applied and the
// manifest lacks goes.
func (j judgement) means(c report.Change) bool {
	return j.edit == report.EditMigrate && c.Kind == report.Removed &&
		slices.ContainsFunc(j.finding.Fixes, func(fix report.Fix) bool {
			if fix.Edit != report.EditMigrate {
				return false
			}
			found := false
			j.p.dropped(fix.Manager).Iterate(func(path fieldpath.Path) {
				field := path.String()
				found = found || managedfields.Within(c.Field, field) || managedfields.Within(field, c.Field)
			})
			return found
		})
}

// adds reports whether a change is one that the client makes of every object: with the write
// refused, there is no answer that has it.
func (j judgement) adds(c report.Change) bool {
	return len(j.before.Changes) == 0 && c.Kind == report.Added && c.Reason == report.ReasonApplied && !j.about(c.Field) &&
		conflict.Paths(j.p.Shape, j.p.body)[c.Field] == nil
}

// takes reports whether an edit is to have the field of the finding written.
func takes(edit report.Edit) bool {
	return edit == report.EditForce || edit == report.EditMigrate || edit == report.EditApplier ||
		edit == report.EditAdd
}

// follows reports whether a change only counts writes, or copies the manifest.
func follows(c report.Change) bool {
	return c.Field == ".metadata.generation" || c.Field == client.LastAppliedField
}

func same(c report.Change) func(report.Change) bool {
	return func(other report.Change) bool {
		return other.Field == c.Field && other.Kind == c.Kind && reflect.DeepEqual(other.After, c.After)
	}
}

// respelled reports whether the two values of a finding differ in defaults and empties only.
func respelled(f report.Finding) bool {
	return f.Before != nil && f.After != nil && reflect.DeepEqual(filled(f.Before), filled(f.After))
}

// filled is a value without what is empty in it.
func filled(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, one := range v {
			if f := filled(one); f != nil {
				out[k] = f
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	case []any:
		var out []any
		for _, one := range v {
			if f := filled(one); f != nil {
				out = append(out, f)
			}
		}
		if out == nil {
			return nil
		}
		return out
	case string:
		if v == "" {
			return nil
		}
	case bool:
		if !v {
			return nil
		}
	}
	return v
}
