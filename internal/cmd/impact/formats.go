package impact

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/render"
)

// formatsOf is the answer of schema impact, as Audit.
func formatsOf(d finding.Report) render.Answer { return render.Findings(d, layOut) }
