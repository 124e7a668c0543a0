package migrate

import (
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// summaries are the entries in short.
func summaries(o managedfields.Owners) []EntrySummary {
	out := []EntrySummary{}
	for _, e := range o.Entries {
		out = append(out, EntrySummary{Writer: report.WriterOf(e), Fields: leaves(e.Set)})
	}
	return out
}
