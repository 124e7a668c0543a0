package view

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/words"
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

// naming replaces MANAGER in a sentence with the names of managers.
func naming(sentence string, managers ...string) string {
	return strings.ReplaceAll(sentence, "MANAGER", words.And(managers))
}
