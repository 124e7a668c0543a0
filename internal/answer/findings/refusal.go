package findings

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/refusal"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// refusals are the fields of the live object that a write is rejected for, with the ways to
// have it accepted, which were simulated.
func refusals(r report.Result) []report.Finding {
	var out []report.Finding
	for _, one := range r.Refusals {
		for _, f := range one.Fields {
			out = append(out, refused(r, one, f))
		}
	}
	return out
}

// behind is what the server has against a write that conflicts besides, which the conflict hides.
func behind(r report.Result) []report.Finding {
	f := r.Forced
	if r.Outcome != report.Conflicted || f == nil || f.Outcome != report.Invalid {
		return nil
	}
	r.Outcome, r.Code, r.Status, r.Causes, r.Refusals = f.Outcome, f.Code, f.Status, f.Causes, f.Refusals
	r.Warnings, r.Notices = nil, nil
	return slices.Concat(finding.OfAnswer(r), refusals(r))
}

func refused(r report.Result, one report.Refusal, field report.RefusedField) report.Finding {
	f := finding.Refusing(r, faults(r))
	f.Field, f.Before, f.Evidence, f.Joint = field.Field, field.Live, refusal.Says(one), string(one.Kind)
	for _, other := range one.Fields {
		pattern, _ := report.Pattern(other.Field)
		f.Joint += " " + pattern
	}
	if field.Source != nil {
		f.Source = *field.Source
	}
	if one.Kind == report.Leftover {
		for _, w := range refusal.Latest(field.Owners) {
			w.APIVersion = ""
			f.Owners = append(f.Owners, w)
		}
	} else {
		f.After = field.Applied
	}
	if len(f.Owners) > 0 {
		f.Manager = f.Owners[0].Manager
	}
	if rest := refusal.Rest(r.Manager, r.Live, one); rest != nil {
		f.Why = text.Join(rest, " ")
	}
	for _, fix := range one.Fixes {
		done := report.Fix{Does: refusal.Does(one, fix), Command: fix.Command, Proven: true}
		if fix.Kind == report.MigrateLeftover {
			done.Edit, done.From = report.EditMigrateLeft, fix.From
		}
		f.Fixes = append(f.Fixes, done)
	}
	return f
}

// faults are what is wrong with a write, a line each.
func faults(r report.Result) string {
	var lines []string
	for _, c := range r.Causes {
		lines = append(lines, strings.TrimPrefix(c.Field+": ", ": ")+c.With(text.FirstLine(c.Message)))
	}
	if lines == nil && r.Status != nil {
		return strings.TrimRight(r.Status.Message, "\n")
	}
	return strings.Join(lines, "\n")
}
