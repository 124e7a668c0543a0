package render

import (
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/view"
)

// Explain is the answer of explain.
func Explain(d explain.Document) Answer {
	d = view.ExplainDocument(d)
	return Answer{Report: d, View: func(o view.Options) model.Document { return view.Explain(d, o) }}
}

// Questions are what there is to decide about applies: see view.Questions.
func Questions(d explain.Document, stops []explain.Stop, secrets view.Secrets, o Options) []view.Question {
	return view.Questions(d, stops, secrets, o.view())
}
