package risk

import (
	"encoding/json"
	"fmt"

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
		r := f.risk(FallsBackToDefault, c.Field, f.Manager,
			fmt.Sprintf("%s becomes %s, the server's default: %s drops the field, and nobody else owns it", text(c.Before), text(c.After), f.Manager))
		if c.Field == writers.Replicas && f.autoscaler != "" {
			r.Severity, r.Manager = report.SeverityError, f.autoscaler
			r.Message = fmt.Sprintf("%s becomes %s, the server's default, until %s scales again: %s drops the field, and nobody else owns it",
				text(c.Before), text(c.After), f.autoscaler, f.Manager)
		}
		out = append(out, r)
	}
	return out
}

// normalised are the values of which the server stores another spelling: others who
// apply the manifest's conflict with the stored one.
func (f *finder) normalised() []report.Risk {
	var out []report.Risk
	for _, c := range f.Changes {
		if c.Reason == report.ReasonNormalised {
			out = append(out, f.risk(StoredDifferently, c.Field, "", fmt.Sprintf("the server stores it as %s: whoever else applies the manifest's spelling conflicts with it", text(c.After))))
		}
	}
	return out
}

// maxText is how much of a value a sentence has.
const maxText = 60

// text is a value in a sentence.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil || v == nil {
		return "nothing"
	}
	if runes := []rune(string(b)); len(runes) > maxText {
		return string(runes[:maxText]) + "…"
	}
	return string(b)
}
