package risk

import (
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// defaulted are the fields that the manager drops, alone, or that its patch removes, and
// whose value becomes the server's default.
func (f *finder) defaulted() []report.Risk {
	var out []report.Risk
	for _, c := range f.Changes {
		if c.Reason != report.ReasonDefaulted || c.Kind != report.Modified {
			continue
		}
		until := text.Text{}
		scaled := c.Field == writers.Replicas && f.autoscaler != ""
		if scaled {
			until = text.New(", until %v scales again", text.Name(f.autoscaler))
		}
		why := text.New("%v drops the field, and no other manager owns it", text.By(f.Manager))
		if f.Operation != report.Apply {
			why = text.New("the write of %v removes the field, whichever manager owns it", text.By(f.Manager))
		}
		r := f.risk(FallsBackToDefault, c.Field, f.Manager, text.New("%v becomes %v, the server's default%v: %v",
			text.ValueOf(c.Field, c.Before), text.ValueOf(c.Field, c.After), until, why))
		if scaled {
			r.Severity, r.Manager = report.SeverityError, f.autoscaler
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
		if c.Reason != report.ReasonNormalised {
			continue
		}
		says := text.New("the server stores it as %v: another manager that applies the manifest's spelling conflicts with it", text.ValueOf(c.Field, c.After))
		if c.Kind == report.Removed {
			says = text.New("the server drops the empty value; setting it still claims the field")
		}
		out = append(out, f.risk(StoredDifferently, c.Field, "", says))
	}
	return out
}
