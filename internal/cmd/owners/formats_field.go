package owners

import (
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
)

// fieldFormatsOf is the answer of why.
func fieldFormatsOf(d conflict.Answers) render.Answer {
	d = WhyDocument(d)
	return render.Answer{Report: d, View: func(o page.Options) model.Document { return layOutField(d, o) }}
}
