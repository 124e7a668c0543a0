package explain

import (
	"slices"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/page"
)

// WithSettings writes settings of clients into a document.
func WithSettings(d conflict.Document) conflict.Document {
	d.Objects = slices.Clone(d.Objects)
	for i := range d.Objects {
		e := &d.Objects[i]
		e.InClient = page.Written(e.InClient, e.Target, e.Source.File)
	}
	return d
}
