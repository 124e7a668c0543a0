package explain

import (
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
)

// formatsOf is the answer of explain.
func formatsOf(d conflict.Document) render.Answer {
	d = WithSettings(d)
	return render.Answer{Report: d, View: func(o page.Options) model.Document { return layOut(d, o) }}
}
