package schema

import (
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
)

// formatsOf is the answer on the merge schema of a field.
func formatsOf(d Document) render.Answer {
	return render.Answer{Report: d, View: func(o page.Options) model.Document { return layOut(d, o) }}
}
