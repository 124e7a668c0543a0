package render

import (
	"github.com/ssactl/ssactl/internal/plan/owners"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/view"
)

// Owners is the answer of owners, in one of its layouts.
func Owners(a owners.Answer, layout view.Layout) Answer {
	return Answer{Report: a.Document(), View: func(o view.Options) model.Document { return view.Owners(a, layout, o) }}
}
