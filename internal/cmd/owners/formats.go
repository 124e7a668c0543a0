package owners

import (
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/blame"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
)

// formatsOf is the answer of owners, in one of its layouts.
func formatsOf(a owners.Answer, layout blame.Layout) render.Answer {
	return render.Answer{Report: a.Document(), View: func(o page.Options) model.Document { return blame.Document(a, layout, o) }}
}
