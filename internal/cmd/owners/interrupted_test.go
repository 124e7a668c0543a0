package owners

import (
	"testing"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/formats"
)

// TestFieldInterrupted: an interrupted run says how far it came.
func TestFieldInterrupted(t *testing.T) {
	d := conflict.Answers{Ending: report.Ending{Interrupted: &report.Interruption{Answered: 1, Total: 3}}}
	formats.Says(t, fieldFormatsOf(d), "text", render.Options{}, "interrupted after 1 of 3 objects\n")
}
