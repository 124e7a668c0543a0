package app

import (
	"fmt"
	"io"

	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
)

// Commentary is standard error for what is shown with the options, of documents in
// which the values of Secrets are masked. Beyond these it is not searched for them:
// nobody could act on the name of an object in which a value is found by chance.
func (a *App) Commentary(options render.Options) io.Writer {
	return a.Streams.Err.As(render.ReadingOf("text", options)).Masking(nil)
}

// Notice prints remarks on the input on standard error, a line each. They name files,
// objects and field managers, and quote no value.
func (a *App) Notice(texts []string) {
	for _, text := range texts {
		fmt.Fprintf(a.Commentary(render.Options{}), "note: %s\n", glyph.Visible(text))
	}
}

// TellProblems prints on standard error which inputs gave no object.
func (a *App) TellProblems(problems []report.Problem, options render.Options) error {
	return render.Problems(a.Commentary(options), redact.Document(a.Secrets, problems), options)
}
