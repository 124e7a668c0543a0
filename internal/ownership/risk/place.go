package risk

import (
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// Placed gives risks that have the line of the object, as of fields that do not change, the
// lines of their fields in the manifest.
func Placed(risks []report.Finding, w engine.Write, shape managedfields.Shape) []report.Finding {
	unplaced := func(r report.Finding) bool { return r.Source == w.Source && r.Field != "" }
	if w.Locator == nil || !slices.ContainsFunc(risks, unplaced) {
		return risks
	}
	object := w.Object()
	w.Decoded = object
	out := slices.Clone(risks)
	for _, path := range shape.Paths(object) {
		field := path.String()
		for i := range out {
			if unplaced(out[i]) && out[i].Field == field {
				if at := w.Line(shape, path); at != nil {
					out[i].Source = *at
				}
			}
		}
	}
	return out
}
