package render

import (
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/view"
)

// Why is the answer of why.
func Why(d explain.Answers) Answer {
	d = view.WhyDocument(d)
	return Answer{Report: d, View: func(o view.Options) model.Document { return view.Why(d, o) }}
}
