package conflict

import (
	"slices"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// HandOver is only a recommendation: the field goes to the controller that writes it first.
const HandOver ResolutionKind = "HandOver"

// Decided is the explanation with all that is said of the same apply, whose fixes were followed: a
// recommendation that does not hold gives way to the one that does, with its reason. A conflict that
// nothing was followed for keeps its own, and so does an apply that the run does not come to.
func (e Explanation) Decided(list []report.Finding) Explanation {
	speaks := func(c Conflict) bool { return slices.ContainsFunc(list, c.isOf) }
	if len(e.Conflicts) > 0 && !slices.ContainsFunc(e.Conflicts, speaks) {
		return e
	}
	e.Findings, e.Conflicts = list, slices.Clone(e.Conflicts)
	for i, c := range e.Conflicts {
		at := slices.IndexFunc(list, c.isOf)
		if at < 0 {
			continue
		}
		e.Conflicts[i] = c.decided(list[at])
	}
	return e
}

// isOf reports whether a finding is about the field, and not that the server rejects its value.
func (c Conflict) isOf(f report.Finding) bool {
	return f.Field == c.Field && f.Rule != report.RuleRefused
}

// decided is a conflict with what was followed of the finding on its field.
func (c Conflict) decided(f report.Finding) Conflict {
	fix, is := f.Recommended()
	if kind, known := decidedBy(f); known && kind != c.Recommended {
		c.Recommended, c.Reason = kind, f.Why
		if is {
			c.Because.Managers, c.Command = []string{fix.Manager}, fix.Command
		}
		if is && kind == HandOver {
			c.Reason = text.New("Recommended: %v", fix.Does)
		}
	}
	if is && !fix.ByHand.IsZero() {
		c.ByHand, c.Reason = true, c.Reason.And(" ", fix.ByHand)
	}
	return c
}

// decidedBy is what the fixes of a finding recommend, followed as they were; false where none of them
// is a resolution of a conflict.
func decidedBy(f report.Finding) (ResolutionKind, bool) {
	if len(f.Fixes) > 0 && f.Fixes[0].InClient != nil {
		// The manifest stays, and the explanation shows the setting.
		return "", false
	}
	switch edit := f.Does(); {
	case edit == report.EditLeave:
		return StopManaging, true
	case edit == report.EditHandOver:
		return HandOver, true
	case does[ResolutionKind(edit)] != "":
		return ResolutionKind(edit), true
	}
	return None, f.Because == report.NoneHolds
}
