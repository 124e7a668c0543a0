package view

import (
	"slices"

	"github.com/ssactl/ssactl/internal/plan/clear"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/shell"
)

// Plans name commands word by word. Their lines, which documents have too, are
// written here.

// ClearDocument writes the commands that clear.
func ClearDocument(d clear.Document) clear.Document {
	d.Objects = slices.Clone(d.Objects)
	for i, c := range d.Objects {
		d.Objects[i].Command = shell.Command(c.Args...)
	}
	return d
}

// WhyDocument writes the commands that remove a field.
func WhyDocument(d explain.Answers) explain.Answers {
	d.Answers = slices.Clone(d.Answers)
	for i := range d.Answers {
		r := &d.Answers[i].Removal
		r.Steps = slices.Clone(r.Steps)
		for k, s := range r.Steps {
			r.Steps[k].Command = shell.Command(s.Args...)
		}
	}
	return d
}
