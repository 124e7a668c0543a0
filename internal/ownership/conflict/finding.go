package conflict

import (
	"slices"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Rule is that of conflicts.
var Rule = finding.Rule{
	Name: report.RuleConflict, Severity: report.SeverityError, By: report.ByOwner,
	Title: "Another field manager owns the field with another value.",
	Why: "Server-Side Apply refuses to change a field that another field manager owns with another value: nothing in the " +
		"manifest takes effect until the conflict is resolved. Stop managing the field (remove it from the manifest), use " +
		"the live value (share ownership), or force (take ownership).",
}

// ForceTakesAll is said where force takes more than what it is recommended for.
const ForceTakesAll = "--force-conflicts takes ownership of every conflicting field: resolve the others first."

// MendFirst is said of a conflict behind which the server rejects the apply for another reason.
const MendFirst = "Mend first what the API server rejects."

// recommendation is what is advised about a field: its story as far as that takes, nil where
// nothing was tried, and the resolution that a setting of the client makes, empty for none.
type recommendation struct {
	*Conflict
	inClient ResolutionKind
}

// Findings are the conflicts of an answer, one of a field, in the order of its conflicts:
// with what is recommended and why, where Advise made them.
func Findings(r report.Result) []report.Finding {
	switch {
	case len(r.Conflicts) == 0:
		return nil
	case r.Contested != nil:
		return inOrder(r.Contested)
	}
	var out []report.Finding
	for i := 0; i < len(r.Conflicts); {
		// A field with several owners is in several conflicts, one behind the other.
		first := i
		for i < len(r.Conflicts) && r.Conflicts[i].Field == r.Conflicts[first].Field {
			i++
		}
		out = append(out, found(r, r.Conflicts[first:i], recommendation{}))
	}
	return out
}

// Conflicting is the answer to an apply that conflicts over more fields, which an explanation
// tells of, with their findings. Nothing was tried for one without a recommendation.
func Conflicting(r report.Result, list []Conflict) report.Result {
	if len(list) == 0 {
		return r
	}
	r.Outcome = report.Conflicted
	for _, c := range list {
		advised := recommendation{}
		if c.Recommended != "" {
			advised.Conflict = &c
		}
		first := len(r.Conflicts)
		for _, owner := range c.Owners {
			r.Conflicts = append(r.Conflicts, report.Conflict{
				Writer: owner.Writer, Field: c.Field, Live: c.Live.Value, LiveMissing: c.Live.Missing,
				Applied: c.Yours.Value, AppliedMissing: c.Yours.Missing, Source: c.Source,
			})
		}
		r.Contested = append(r.Contested, found(r, r.Conflicts[first:], advised))
	}
	return r
}

// inOrder says of fixes which others come first: force takes what the others resolve, and a
// migration hands over all of an object.
func inOrder(list []report.Finding) []report.Finding {
	out := slices.Clone(list)
	recommends := func(is bool, edit report.Edit) bool {
		return slices.ContainsFunc(out, func(f report.Finding) bool { return (recommendedEdit(f) == edit) == is })
	}
	for i, f := range out {
		out[i].Fixes = slices.Clone(f.Fixes)
		switch edit := recommendedEdit(f); {
		case edit == report.EditForce && recommends(false, report.EditForce):
			out[i].Fixes[0].Does = f.Fixes[0].Does.And(". ", text.New(ForceTakesAll))
		case edit != report.EditMigrate && edit != report.EditExplain && recommends(true, report.EditMigrate):
			out[i].Fixes[0].Does = f.Fixes[0].Does.And(". ", text.New(MigrateFirst))
		}
	}
	return out
}

// Behind says of conflicts with a recommendation what comes before it, where the server rejects the
// apply with force too, for other fields.
func Behind(r report.Result, list []report.Finding) []report.Finding {
	if r.Outcome != report.Conflicted || r.Forced == nil || !r.Forced.Outcome.Refused() {
		return list
	}
	out := slices.Clone(list)
	for i, f := range out {
		if f.Rule == Rule.Name && len(f.Fixes) > 0 && f.Fixes[0].Edit != report.EditExplain &&
			!slices.ContainsFunc(r.Forced.Refusals, func(one report.Refusal) bool { return rejects(one, f.Field) }) {
			out[i].Why = text.New(MendFirst).And(" ", f.Why)
		}
	}
	return out
}

// rejects reports whether a refusal is about a field.
func rejects(one report.Refusal, field string) bool {
	return slices.ContainsFunc(one.Fields, func(f report.RefusedField) bool {
		return managedfields.Within(f.Field, field) || managedfields.Within(field, f.Field)
	})
}

// recommendedEdit is that of the first fix; empty without one.
func recommendedEdit(f report.Finding) report.Edit {
	if len(f.Fixes) == 0 {
		return ""
	}
	return f.Fixes[0].Edit
}

// found is the finding of one field, which is in a conflict for each of its owners.
func found(r report.Result, of []report.Conflict, advised recommendation) report.Finding {
	c, at := of[0], r.Source
	if c.Source != nil {
		at = *c.Source
	}
	f := Rule.At(severity(r, c.Field)).On(r.Target, at, ownedBy(of, r))
	f.Field, f.Manager, f.Evidence = c.Field, c.Manager, wroteAt(of)
	for _, one := range of {
		f.Owners = append(f.Owners, one.Writer)
	}
	if !c.LiveMissing {
		f.Before = c.Live
	}
	if !c.AppliedMissing {
		f.After = c.Applied
	}
	if advised.Conflict == nil {
		f.Why = text.New(program.In("Too many fields to try every option here; ssactl explain tries them."))
	} else {
		because := advised.Because
		f.Because, f.Why = string(because.Kind), because.Says()
		if slices.Contains(because.Against, OwnForbidden) || slices.Contains(because.Against, StopForbidden) {
			// The policy decides, and not what the server accepts.
			f.Because = string(MayNotOwn)
		}
		f.Fixes = fixesOf(advised.Recommended, because, c.Manager)
		f.AskedAs, f.Shared = advised.AskedAs, advised.Shared
	}
	if advised.inClient != "" {
		for _, s := range r.InClient {
			if one, ok := s.On(c.Field, c.Manager); ok && s.Client == ClientOf(r.Manager) && s.Kind == string(advised.inClient) {
				f.Fixes = append(f.Fixes, report.Fix{InClient: &one})
			}
		}
	}
	f.Fixes = append(f.Fixes, report.Fix{Edit: report.EditExplain,
		Does: text.New("explains the conflict in full, with the options to resolve it, each simulated")})
	return f
}

// severity is that of a conflict: where the apply forces, of the risk to take the field.
func severity(r report.Result, field string) report.Severity {
	if !r.Force {
		return report.SeverityError
	}
	for _, k := range r.Risks {
		if k.Field == field {
			return k.Severity
		}
	}
	return report.SeverityWarning
}

// fixesOf is what does what is recommended; none where nothing is.
func fixesOf(kind ResolutionKind, because Reason, owner string) []report.Fix {
	if does, ok := does[kind]; ok {
		return []report.Fix{{Edit: report.Edit(kind), Manager: owner, Does: text.New(does)}}
	}
	if because.Kind == WrongManager {
		return []report.Fix{
			{
				Edit:    report.EditApplier,
				Manager: because.Managers[0],
				Does:    text.New("asks again as %v", text.By(because.Managers[0])),
			},
		}
	}
	return nil
}

// does are the resolutions, as what is done.
var does = map[ResolutionKind]string{
	Force:        "force (take ownership)",
	StopManaging: "stop managing the field (remove it from the manifest)",
	UseLiveValue: "use the live value (share ownership)",
	Migrate:      "migrate (hand the object over)",
}

// Does says what a resolution is; empty for None.
func (k ResolutionKind) Does() string { return does[k] }

// ownedBy says who owns a conflicting field, and what kind of writer that is.
func ownedBy(of []report.Conflict, r report.Result) text.Text {
	if len(of) > 1 {
		return text.New("owned by %v", text.List(of, maxManagers, entryOf))
	}
	owner := of[0].Writer
	switch kind := writers.Judge(owner, r.Manager, of[0].Field, r.Live); {
	case kind.Kind == writers.OtherApplier:
		// The operation says it.
		return text.New("owned by %v", entryOf(of[0]))
	case kind.Certain:
		return text.New("owned by %v: %v", entryOf(of[0]), text.Text{Format: kind.Name})
	default:
		return text.New("owned by %v: probably %v", entryOf(of[0]), text.Text{Format: kind.Name})
	}
}

func entryOf(c report.Conflict) text.Text { return text.Entry(c.Manager, c.Operation, c.Subresource) }

// wroteAt says when the owners of a field wrote their entries; empty where none says it.
func wroteAt(of []report.Conflict) text.Text {
	var out text.Text
	for _, c := range of {
		out = out.And("; ", report.Wrote(c.Writer))
	}
	return out
}
