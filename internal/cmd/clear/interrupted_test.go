package clear

import (
	"testing"

	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/formats"
	"github.com/ssactl/ssactl/test/golden"
)

// TestInterrupted: a plan of an interrupted run says how far it came, in text and in
// scripts, and one object of many is shown as one of many.
func TestInterrupted(t *testing.T) {
	d := NewDocument(golden.RunOf("v1.36.3"), []Clearing{aClearing()})
	d.Interrupted = &report.Interruption{Answered: 1, Total: 3}
	a := formatsOf(d, report.Report{})
	formats.Says(t, a, "text", render.Options{}, "\ninterrupted after 1 of 3 objects\n")
	formats.Says(t, a, "kubectl", render.Options{}, "\n# interrupted after 1 of 3 objects\n")
	formats.Says(t, a, "json-patch", render.Options{}, "[\n  {\n    \"target\": ")
}
