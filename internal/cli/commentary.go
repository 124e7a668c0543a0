package cli

import (
	"fmt"
	"io"

	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/glyph"
)

// commentary is standard error for what is shown with the options.
func (a *app) commentary(options render.Options) io.Writer {
	return a.streams.Err.As(render.ReadingOf("text", options))
}

// notice tells remarks on the input on standard error, a line each.
func (a *app) notice(texts []string) {
	for _, text := range texts {
		fmt.Fprintf(a.streams.Err, "note: %s\n", glyph.Visible(text))
	}
}
