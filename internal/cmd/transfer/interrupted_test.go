package transfer

import (
	"testing"

	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/formats"
	"github.com/ssactl/ssactl/test/golden"
)

// TestInterrupted: an interrupted run says how far it came.
func TestInterrupted(t *testing.T) {
	d := NewDocument(golden.RunOf("v1.36.3"), nil, 0)
	d.Interrupted = &report.Interruption{Total: 3}
	a := formatsOf(d)
	formats.Says(t, a, "text", render.Options{}, "0 plans\ninterrupted after 0 of 3 objects\n")
	formats.Says(t, a, "kubectl", render.Options{}, "# interrupted after 0 of 3 objects\n")
}
