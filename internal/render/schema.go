package render

import (
	"github.com/ssactl/ssactl/internal/plan/schema"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/view"
)

// Schema is the answer on the merge schema of a field.
func Schema(d schema.Document) Answer {
	return Answer{Report: d, View: func(o view.Options) model.Document { return view.Schema(d, o) }}
}
