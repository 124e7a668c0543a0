package view

import (
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
)

// lineKinds are how changes stand in a difference.
var lineKinds = map[report.ChangeKind]model.LineKind{report.Added: model.Added, report.Removed: model.Removed}

// changeLine is a change as a line of a difference: a field that only has
// another value stands with a sign of its own.
func changeLine(kind report.ChangeKind, text string) model.DiffLine {
	if kind == report.Modified {
		return model.DiffLine{Kind: model.Altered, Text: model.Say(text)}
	}
	return model.DiffLine{Kind: lineKinds[kind], Text: model.Say(text)}
}
