// Package findings makes the one list of all that is said of a write: conflicts, refusals,
// risks, cautions and warnings, the worst first, and one of a field. Each is made where it
// is found; here are the order, and the commands for how ssactl was called.
package findings

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/impact"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// Rules are those of writes, in the order in which findings of one severity are listed.
func Rules() finding.Rules {
	return slices.Concat(finding.Rules{finding.NoAnswer, finding.Refused, conflict.Rule}, risk.Rules(),
		impact.WriteRules(), finding.Rules{finding.Caveat, finding.ServerWarning, finding.InputNotice, finding.WrittenBetween,
			finding.RejectedBefore})
}

// rules are kept: the list is sorted for every write.
var rules = Rules()

// Listed is all that is said of a write, without the commands of fixes.
func Listed(r report.Result) []report.Finding {
	list := slices.Concat(finding.OfAnswer(r), refusals(r), conflict.Findings(r), risk.Findings(r), cautions(r))
	// A conflict and what it hides are two things, even of one field.
	return append(inOrder(r, behind(r)), inOrder(r, list)...)
}

// inOrder are findings of a write, the worst first, and one of a field; never nil.
func inOrder(r report.Result, list []report.Finding) []report.Finding {
	if len(list) == 0 {
		return []report.Finding{}
	}
	for i := range list {
		list[i].Applier, list[i].Target = r.Manager, r.Target
		list[i].Source = cmp.Or(list[i].Source, r.Source)
	}
	slices.SortStableFunc(list, func(a, b report.Finding) int {
		return cmp.Or(
			cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
			cmp.Compare(rules.Index(a.Rule), rules.Index(b.Rule)),
		)
	})
	return finding.PerField(list)
}

// Commanded are findings of a write with the commands of their fixes, for how ssactl was
// called: about one of several objects, or the only one.
func Commanded(r report.Result, list []report.Finding, called func() fixes.Call, several bool) []report.Finding {
	if len(list) == 0 {
		return list
	}
	list = slices.Clone(list)
	call := called()
	on := call.OnObject(r.Target, r.Source, r.LiveSource, r.Manager, several)
	for i, f := range list {
		list[i].Fixes = withCommands(f, call, on)
	}
	return list
}

// withCommands are the fixes of a finding with their commands.
func withCommands(f report.Finding, call fixes.Call, on fixes.Asked) []report.Fix {
	list := slices.Clone(f.Fixes)
	for i, fix := range list {
		if fix.Command.None() && fix.ByHand.IsZero() {
			list[i].Command = command(f, fix, call, on)
		}
	}
	return list
}

// command is the one that makes the edit of a fix; none where there is none.
func command(f report.Finding, fix report.Fix, call fixes.Call, on fixes.Asked) shell.Line {
	switch fix.Edit {
	case report.EditStop, report.EditShare:
		field := cmp.Or(f.AskedAs, f.Field)
		return on.Resolve(fixes.Resolving(conflict.ResolutionKind(fix.Edit), []string{field})...)
	case report.EditLeave:
		return on.Resolve(shell.Value("--owned-by", fix.Manager), shell.Switch("--all-stop-managing"))
	case report.EditForce:
		return on.Force()
	case report.EditMigrate:
		return on.Migrate(fix.Manager)
	case report.EditHandOver:
		return call.HandOver(fix.Manager, f.Field, f.Target)
	case report.EditApplier:
		return on.As(fix.Manager).Apply()
	case report.EditMigrateLeft:
		return on.Of(fixes.OperandsOf([]report.Target{f.Target}, call.Repeated)[0]).MigrateLeftover(fix.From...)
	case report.EditExplain:
		return on.Explain()
	case report.EditImpact:
		return on.Impact(f.Target)
	}
	return shell.Line{}
}

// Cautioned is a caveat on the answer for an object as a finding, with what to do about it.
func Cautioned(c report.Caveat, t report.Target) report.Finding {
	f := finding.Caveat.On(t, report.Source{}, text.New("%v", text.Said(c.Message)))
	if f.Caveat = c.Rule; c.Field != "" {
		f = f.About(c.Field)
	}
	if fix := fixes.Cure(c, t); !fix.Does.IsZero() {
		f.Fixes = append(f.Fixes, fix)
	}
	return f
}

// cautions are what makes the answer doubtful.
func cautions(r report.Result) []report.Finding {
	list := Cautions(r.Confidence, r.Target)
	for i := range list {
		list[i].Source = r.Source
	}
	return list
}

// Cautions are what makes an answer for an object doubtful: what was given may not be what
// the cluster has.
func Cautions(c report.Confidence, t report.Target) []report.Finding {
	var out []report.Finding
	for _, reason := range c.Reasons {
		if reason.Rule == "" || reason.Rule == report.RuleNotGiven {
			continue
		}
		f := Cautioned(reason, t)
		i := slices.IndexFunc(out, func(of report.Finding) bool { return reason.Field != "" && alike(of, f) })
		switch {
		case i >= 0:
			out[i] = out[i].About(append(slices.Clone(out[i].Fields), reason.Field)...)
		default:
			out = append(out, f)
		}
	}
	return out
}

// alike reports whether two cautions say the same.
func alike(a, b report.Finding) bool {
	same := func(a, b report.Fix) bool { return a.Does.String() == b.Does.String() && a.Command.Equal(b.Command) }
	return a.Message.String() == b.Message.String() && slices.EqualFunc(a.Fixes, b.Fixes, same)
}
