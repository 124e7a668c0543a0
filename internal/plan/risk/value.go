package risk

import (
	"github.com/ssactl/ssactl/internal/plan/writers"
	"github.com/ssactl/ssactl/internal/report"
)

// defaulted are the fields that the manager drops, alone, and whose value becomes
// the server's default.
func (f *finder) defaulted() []report.Risk {
	var out []report.Risk
	for _, c := range f.Changes {
		if c.Reason != report.ReasonDefaulted || c.Kind != report.Modified {
			continue
		}
		fact := report.Fact{Kind: BecomesDefault, Manager: f.Manager, Before: value(c.Before), After: value(c.After)}
		r := f.risk(FallsBackToDefault, c.Field, f.Manager, fact)
		if c.Field == writers.Replicas && f.autoscaler != "" {
			r.Severity, r.Manager = report.SeverityError, f.autoscaler
			r.Fact.Kind, r.Fact.Others = DefaultUntilScaled, []string{f.autoscaler}
		}
		out = append(out, r)
	}
	return out
}

// normalised are the values that the server stores in another spelling: managers that
// apply the manifest's spelling conflict with the stored one.
func (f *finder) normalised() []report.Risk {
	var out []report.Risk
	for _, c := range f.Changes {
		fact := report.Fact{Kind: OtherSpelling, After: value(c.After)}
		switch {
		case c.Reason != report.ReasonNormalised:
			continue
		case c.Kind == report.Removed:
			fact.Kind = DropsEmpty
		}
		out = append(out, f.risk(StoredDifferently, c.Field, "", fact))
	}
	return out
}

// value is one that changes: without one, none is there.
func value(v any) report.Value { return report.Value{Value: v, Missing: v == nil} }
