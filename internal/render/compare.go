package render

import (
	"github.com/ssactl/ssactl/internal/plan/compare"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/view"
)

// Compare is the answer of compare.
func Compare(d compare.Document) Answer {
	return Answer{Report: d, View: func(o view.Options) model.Document { return view.Compare(d, o) }}
}
