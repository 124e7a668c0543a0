package compare

import (
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
)

// formatsOf is the answer of compare.
func formatsOf(d Document) render.Answer {
	return render.Answer{Report: d, View: func(o page.Options) model.Document { return layOut(d, o) }}
}
