package audit

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/render"
)

// formatsOf is the answer of an audit. Findings from a severity on make the run fail; none
// do if it is empty.
func formatsOf(d finding.Report) render.Answer { return render.Findings(d, layOut) }
