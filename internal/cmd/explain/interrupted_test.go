package explain

import (
	"testing"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/formats"
)

// TestInterrupted: an interrupted run says how far it came.
func TestInterrupted(t *testing.T) {
	d := conflict.Document{Ending: report.Ending{Interrupted: &report.Interruption{Answered: 1, Total: 3}}}
	formats.Says(t, formatsOf(d), "text", show.Options{}, "\ninterrupted after 1 of 3 objects\n")
}
