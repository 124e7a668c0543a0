package comment

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/bounded"
)

// document is what a comment takes of a report, of any command.
type document struct {
	report.Head
	Summary struct {
		Total      int                `json:"total"`
		Conflicted int                `json:"conflicted"`
		Invalid    int                `json:"invalid"`
		Failed     int                `json:"failed"`
		Comparison *report.Comparison `json:"comparison"`
	} `json:"summary"`
	Results  []result  `json:"results"`
	Objects  []result  `json:"objects"`
	Findings []finding `json:"findings"`
	report.Ending
}

// result is one object of a report.
type result struct {
	Target   report.Target             `json:"target"`
	Source   report.Source             `json:"source"`
	Manager  string                    `json:"manager"`
	Outcome  report.Outcome            `json:"outcome"`
	Deleted  bool                      `json:"deleted"`
	Removed  bool                      `json:"removed"`
	Changes  []report.Change           `json:"changes"`
	Findings []finding                 `json:"findings"`
	Status   *struct{ Message string } `json:"status"`
	Error    string                    `json:"error"`
}

// finding is one of a report; its texts are those of the report.
type finding struct {
	Rule     string             `json:"rule"`
	Severity report.Severity    `json:"severity"`
	Target   report.Target      `json:"target"`
	Source   report.Source      `json:"source"`
	Field    string             `json:"field"`
	Manager  string             `json:"manager"`
	Before   any                `json:"before"`
	After    any                `json:"after"`
	Message  string             `json:"message"`
	Why      string             `json:"why"`
	Cause    report.Attribution `json:"cause"`
	Fixes    []struct {
		Does    string `json:"does"`
		Command string `json:"command"`
	} `json:"fixes"`
}

// maxBytes is the most that a report may have.
const maxBytes = 256 << 20

// read reads a report, which may come from a fork: nothing in it is run or followed.
func read(name string) (document, error) {
	text, err := bounded.File(name, maxBytes)
	if err != nil {
		return document{}, err
	}
	return parse(name, text)
}

func parse(name string, text []byte) (d document, err error) {
	if err := json.Unmarshal(text, &d); err != nil {
		return document{}, fmt.Errorf("%s: is no report of -o report: %w", name, err)
	}
	if d.APIVersion != report.APIVersion || d.Kind == "" || d.Results == nil && d.Objects == nil && d.Findings == nil {
		return document{}, fmt.Errorf("%s: is no report of -o report: it has no findings, results or objects of %s",
			name, report.APIVersion)
	}
	if c := d.Summary.Comparison; c != nil && c.Existing {
		// What stood before counts as any other.
		for _, list := range [][]result{d.Results, d.Objects, {{Findings: d.Findings}}} {
			for _, r := range list {
				for i := range r.Findings {
					if r.Findings[i].Cause == report.StoodBefore {
						r.Findings[i].Cause = ""
					}
				}
			}
		}
	}
	return d, nil
}

// all are the objects, and the findings that are on none of them.
func (d document) all() []result {
	out := slices.Concat(d.Results, d.Objects)
	at := map[report.Target]int{}
	for _, f := range d.Findings {
		i, known := at[f.Target]
		if !known {
			i = len(out)
			at[f.Target] = i
			out = append(out, result{Target: f.Target, Source: f.Source})
		}
		out[i].Findings = append(out[i].Findings, f)
	}
	return out
}

// counts reports whether a finding is of the change, or of a run that is about none.
func (f finding) counts() bool { return f.Cause == "" || f.Cause == report.CausedByChange }

// word is one of a command line that a shell reads as it is: plain, or in single quotes.
const word = `(?:[A-Za-z0-9_./:=,@%+-]|\[|\]|'[^'\x00-\x1f]*'|\\'|"\[")+`

// editing is a command line that a comment may ask people to run: of ssactl, one that edits or
// explains what they name, in words that a shell takes as they are. A report may be made by the
// change that it is about, and a line in it could be any.
var editing = regexp.MustCompile(
	`^(ssactl|(kubectl|helm|argocd|flux) ssa) (resolve|explain|migrate|transfer|apply|diff|owners)( ` + word + `)*$`)

// command is the first command of the fixes that may be shown; empty for none.
func (f finding) command() string {
	for _, fix := range f.Fixes {
		if editing.MatchString(fix.Command) {
			return fix.Command
		}
	}
	return ""
}
