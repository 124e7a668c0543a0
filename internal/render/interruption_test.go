package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/plan/clear"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/plan/transfer"
	"github.com/ssactl/ssactl/internal/report"
)

// Plans of an interrupted run say how far it came, in text and in scripts, and
// one object of many is shown as one of many.
func TestInterruptedPlans(t *testing.T) {
	one := report.Interruption{Answered: 1, Total: 3}
	migrations := migrate.NewDocument(runOf("v1.36.3"), []migrate.Migration{migrating()})
	migrations.Interrupted = &one
	clearings := clear.NewDocument(runOf("v1.36.3"), []clear.Clearing{clearing()})
	clearings.Interrupted = &one
	none := transfer.NewDocument(runOf("v1.36.3"), nil, 0)
	none.Interrupted = &report.Interruption{Total: 3}
	cleared, planned, moved := Clear(clearings, report.Report{}), Transfer(none), Migrate(migrations)
	stopped := report.Ending{Interrupted: &one}
	for _, c := range []struct {
		name, format string
		answer       Answer
		options      Options
		want         string
	}{
		{"migrate", "text", moved, Options{Quiet: true}, "1 object: 1 to migrate\n"},
		{"migrate", "text", moved, Options{}, "\ninterrupted after 1 of 3 objects\n"},
		{"migrate", "kubectl", moved, Options{}, "\n# interrupted after 1 of 3 objects\n"},
		{"migrate", "json-patch", moved, Options{}, "[\n  {\n    \"target\": "},
		{"clear", "text", cleared, Options{}, "\ninterrupted after 1 of 3 objects\n"},
		{"clear", "kubectl", cleared, Options{}, "\n# interrupted after 1 of 3 objects\n"},
		{"clear", "json-patch", cleared, Options{}, "[\n  {\n    \"target\": "},
		{"explain", "text", Explain(explain.Document{Ending: stopped}), Options{}, "\ninterrupted after 1 of 3 objects\n"},
		{"why", "text", Why(explain.Answers{Ending: stopped}), Options{}, "interrupted after 1 of 3 objects\n"},
		{"transfer", "text", planned, Options{}, "0 plans\ninterrupted after 0 of 3 objects\n"},
		{"transfer", "kubectl", planned, Options{}, "# interrupted after 0 of 3 objects\n"},
	} {
		t.Run(c.name+" "+c.format, func(t *testing.T) {
			var got bytes.Buffer
			if err := c.answer.Write(&got, c.format, c.options); err != nil || !strings.Contains(got.String(), c.want) {
				t.Errorf("%v, no %q in\n%s", err, c.want, got.String())
			}
		})
	}
}

// An interrupted audit says so in every format, whatever it found before.
func TestInterruptedAudit(t *testing.T) {
	want := map[string]string{
		"text":     "\ninterrupted after 12 of 40 objects\n",
		"report":   "\"interrupted\": {\n    \"answered\": 12,\n    \"total\": 40\n  }",
		"json":     "\"interrupted\": {\n    \"answered\": 12,\n    \"total\": 40\n  }",
		"yaml":     "\ninterrupted:\n  answered: 12\n  total: 40\n",
		"markdown": "\n\n<b>interrupted after 12 of 40 objects</b>\n",
		"html":     "<p class=\"made\"><span class=\"bad\">interrupted after 12 of 40 objects</span></p>",
		"github":   "::error title=Interrupted::interrupted after 12 of 40 objects\n",
		"sarif":    "\"executionSuccessful\": false",
		"junit":    "<error type=\"Interrupted\" message=\"interrupted after 12 of 40 objects\">",
	}
	for _, f := range auditFormats {
		t.Run(f, func(t *testing.T) {
			for _, doc := range []finding.Report{auditReport(), {Summary: finding.Summary{Objects: 12}}} {
				doc.Interrupted = &report.Interruption{Answered: 12, Total: 40}
				var got bytes.Buffer
				if err := Audit(doc).Write(&got, f, Options{}); err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(got.String(), want[f]) {
					t.Errorf("no %q in\n%s", want[f], got.String())
				}
				if f == "html" && !strings.Contains(got.String(), `class="verdict no"`) {
					t.Errorf("the page passes:\n%s", got.String())
				}
			}
		})
	}
}
