package render

import (
	"io"

	"github.com/ssactl/ssactl/internal/engine"
)

// Report writes the whole report as one JSON document. Its lists are present
// also where they are empty.
func Report(w io.Writer, report engine.Report, _ Options) error {
	results := make([]engine.Result, len(report.Results))
	for i, r := range report.Results {
		results[i] = withLists(r)
	}
	report.Results = results
	s, err := encodeJSON(report, "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s+"\n")
	return err
}

func withLists(r engine.Result) engine.Result {
	if r.Warnings == nil {
		r.Warnings = []string{}
	}
	if r.Conflicts == nil {
		r.Conflicts = []engine.Conflict{}
	}
	if r.Changes == nil {
		r.Changes = []engine.Change{}
	}
	if r.Ownership == nil {
		r.Ownership = []engine.FieldOwners{}
	}
	if r.Transfers == nil {
		r.Transfers = []engine.Transfer{}
	}
	return r
}
