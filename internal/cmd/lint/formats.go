package lint

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/render"
)

// formatsOf is the answer of lint, as Audit.
func formatsOf(d finding.Report) render.Answer { return render.Findings(d, layOut) }
