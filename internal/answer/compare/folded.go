package compare

import (
	"slices"

	"github.com/ssactl/ssactl/internal/report"
)

// Folded is a compared result as formats for people show it: without what stood before the
// change, which is counted once for the run, unless all is listed. Where what stood before
// counts too, nothing is said of when it came.
func Folded(r report.Result, c report.Comparison) report.Result {
	stood := func(f report.Finding) bool { return f.Cause == report.StoodBefore }
	switch {
	case c.Existing:
		r.Findings, r.Risks = plain(r.Findings), plain(r.Risks)
		r.Former = ""
	case c.All:
		r.Former = ""
	default:
		if r.Findings != nil {
			r.Findings = slices.DeleteFunc(slices.Clone(r.Findings), stood)
		}
		r.Risks = slices.DeleteFunc(slices.Clone(r.Risks), stood)
		if r.Transfers != nil {
			r.Transfers = slices.DeleteFunc(slices.Clone(r.Transfers), func(t report.Transfer) bool { return t.Stood })
		}
		if r.Changes != nil {
			r.Changes = slices.DeleteFunc(slices.Clone(r.Changes), func(c report.Change) bool {
				return c.Cause == report.StoodBefore
			})
		}
	}
	return r
}

// plain are findings that count like any others.
func plain(list []report.Finding) []report.Finding {
	if list == nil {
		return nil
	}
	out := slices.Clone(list)
	for i := range out {
		if out[i].Cause == report.StoodBefore {
			out[i].Cause = ""
		}
	}
	return out
}
