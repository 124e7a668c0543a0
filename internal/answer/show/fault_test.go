package show

import (
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/golden"
)

// faulty is a result with faults whose messages quote a whole object, and have
// lines of a difference behind the first.
func faulty() report.Result {
	r := invalid()
	r.Causes = []report.Cause{
		{
			Field:   "spec.template",
			Message: `Invalid value: {"containers":"` + strings.Repeat("x", 2*4000) + `"}: field is immutable`,
			Source:  golden.Source(4),
		},
		{Field: "spec", Message: "Forbidden: spec is immutable\n-  \"a\"\n+  \"b\"\n", Source: golden.Source(3)},
		{Field: "status", Message: "Required value"},
		{Message: "not all was checked"},
	}
	r.Status = &report.Status{Reason: "Invalid", Message: "it is invalid: " + r.Causes[0].Message}
	return r
}

// TestFaultsAreShort: a fault is a sentence, whatever the server quotes in it.
func TestFaultsAreShort(t *testing.T) {
	doc := report.New(golden.RunOf("v1.36.3"), []report.Result{faulty()})
	for _, format := range []string{"text", "markdown", "html"} {
		got := rendered(t, format, doc, Options{})
		if strings.Contains(got, `immutable\n`) || strings.Contains(got, "immutable&#92;n") {
			t.Errorf("%s: lines run together:\n%s", format, got)
		}
		if format != "html" && len(got) > 4000+2000 {
			t.Errorf("%s: %d bytes", format, len(got))
		}
	}
	if got := rendered(t, "text", doc, Options{Verbose: true}); len(got) < 4*4000 {
		t.Errorf("verbose: %d bytes", len(got))
	}
	if got := rendered(t, "markdown", doc, Options{}); strings.Contains(got, "<code></code>") {
		t.Errorf("code of nothing:\n%s", got)
	}
}

// TestFaultsWithoutLine: each fault is one annotation, at the object where it has
// no line.
func TestFaultsWithoutLine(t *testing.T) {
	r := faulty()
	got := rendered(t, "github", report.New(golden.RunOf("v1.36.3"), []report.Result{r}), Options{})
	for _, want := range []string{"status: Required value\n", "not all was checked\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "it is invalid") || len(got) > 2000 {
		t.Errorf("told twice, or at length:\n%s", got)
	}
}
