package view

import (
	"slices"

	"github.com/ssactl/ssactl/internal/plan/explain"
)

// ExplainDocument writes settings of clients into a document.
func ExplainDocument(d explain.Document) explain.Document {
	d.Objects = slices.Clone(d.Objects)
	for i := range d.Objects {
		e := &d.Objects[i]
		e.InClient = written(e.InClient, e.Target, e.Source.File)
	}
	return d
}
