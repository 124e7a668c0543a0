package render

import (
	"io"

	"github.com/ssactl/ssactl/internal/plan/transfer"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/view"
)

// Transfer is the answer of transfer.
func Transfer(d transfer.Document) Answer {
	return Answer{
		Report: d,
		View:   func(o view.Options) model.Document { return view.Transfer(d, o) },
		Own: map[string]func(io.Writer, Options) error{
			"kubectl": func(w io.Writer, _ Options) error { return transferCommands(w, d) },
		},
	}
}
