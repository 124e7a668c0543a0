package show

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/golden"
)

// A headline has at most three lines on terminals from 80 columns, whatever comes
// together in a run, and one more that says how far an interrupted run came.
func TestHeadlineIsShort(t *testing.T) {
	cases := map[string]func() report.Report{
		"mixed":        func() report.Report { return report.New(golden.RunOf("v1.36.3"), mixed(false)) },
		"mixed_forced": func() report.Report { return report.New(golden.RunOf("v1.36.3"), mixed(true)) },
		"mixed_names":  longNames,
		"mixed_all":    incomplete,
	}
	for name, results := range screens {
		cases[name] = func() report.Report { return report.New(golden.RunOf("v1.36.3"), results()) }
	}
	for name, made := range cases {
		t.Run(name, func(t *testing.T) {
			doc := made()
			for width, most := range map[int]int{60: 5, 80: 3, 120: 3, 200: 3} {
				text := screen(t, doc, Options{Width: width, Fit: true})
				headline, _, _ := strings.Cut(text, "\n\n")
				if doc.Interrupted != nil {
					most++
				}
				if n := strings.Count(headline, "\n") + 1; n > most {
					t.Errorf("%d columns: the headline has %d lines, want at most %d:\n%s", width, n, most, headline)
				}
				if strings.HasPrefix(name, "mixed") {
					golden.CheckGolden(t, filepath.Join("first_screen", fmt.Sprintf("%s_%d.text", name, width)), text)
				}
			}
		})
	}
}

// mixed is an upgrade in which everything comes together: what conflicts with three
// managers or is taken from them, what the API server rejects for several reasons, what
// has no answer, and risks.
func mixed(forced bool) []report.Result {
	out := upgrade(forced)
	for i := range 5 {
		r := &out[40+i]
		r.Outcome, r.Code, r.Status, r.Object = report.Invalid, 404, &report.Status{
			Reason:  "NotFound",
			Message: `namespaces "portal" not found`,
		}, nil
		if i > 2 {
			r.Code, r.Status = 422, &report.Status{
				Reason:  "Invalid",
				Message: "RoleBinding is invalid: subjects: Required value",
			}
		}
	}
	for i := range 2 {
		r := &out[50+i]
		r.Outcome, r.Code, r.Object, r.Status = report.Failed, 0, nil, &report.Status{
			Message: "no definition of the kind was given",
		}
	}
	return out
}

// longNames is a mixed upgrade of managers with names as long as they may be.
func longNames() report.Report {
	results := mixed(false)
	long := func(name string) string { return strings.Repeat(name+"-", 128)[:128] }
	for i := range results {
		results[i].Manager = long(results[i].Manager)
		var stories []conflict.Conflict
		for j := range results[i].Conflicts {
			manager := long(results[i].Conflicts[j].Manager)
			results[i].Conflicts[j].Manager = manager
			because := conflict.Reason{Kind: conflict.OtherManifest, Managers: []string{manager}}
			stories = append(stories, conflict.Conflict{Recommended: conflict.StopManaging, Because: because})
		}
		results[i] = contested(results[i], stories...)
	}
	return report.New(golden.RunOf("v1.36.3"), results)
}

// incomplete is a mixed upgrade that was interrupted, with inputs that cannot be read,
// and live objects that no manifest names.
func incomplete() report.Report {
	doc, unmatched := report.New(golden.RunOf("v1.36.3"), mixed(false)), 4321
	for _, file := range []string{"a.yaml", "b.yaml"} {
		doc.Problems = append(
			doc.Problems,
			report.Problem{Source: report.Source{File: file, Line: 3}, Message: "found a tab"},
		)
	}
	doc.Summary.Unmatched, doc.Interrupted = &unmatched, &report.Interruption{Answered: 59, Total: 1200}
	return doc
}
