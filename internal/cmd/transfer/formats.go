package transfer

import (
	"io"

	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
)

// formatsOf is the answer of transfer.
func formatsOf(d Document) render.Answer {
	return render.Answer{
		Report: d,
		View:   func(o page.Options) model.Document { return layOut(d, o) },
		Own: map[string]func(io.Writer, render.Options) error{
			"kubectl": func(w io.Writer, _ render.Options) error { return transferCommands(w, d) },
		},
	}
}
