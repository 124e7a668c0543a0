// Package app is what all commands share: streams, the masks of Secrets, settings, exit
// codes.
package app

import (
	"fmt"
	"io"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/run/progress"
	"github.com/ssactl/ssactl/internal/shell"
)

// App is what every command shares.
type App struct {
	Streams *iostreams.IOStreams
	// Bar is nil where nobody is shown how far a run is.
	Bar *progress.Bar
	// Secrets masks the values of Secrets in whatever is shown.
	Secrets *redact.Masker
	// Configured are the flags that settings have set.
	Configured map[string]bool
	// Given are the paths that the run reads, as they were named.
	Given []string
	// Inferred: the live objects say who the field manager is.
	Inferred bool
	// Client is what is said of the client behind the field manager; empty for nothing.
	Client string
	// Sender are the flags that say whose requests are simulated.
	Sender []shell.Flag
}

// Learn has the values of Secrets in a text masked from now on.
func (a *App) Learn(of manifest.Identity, asJSON []byte) {
	if !redact.IsSecret(of.APIVersion, of.Kind) && !redact.MayHold(asJSON) {
		return
	}
	if object, err := jsontree.Decode(asJSON); err == nil {
		a.Secrets.Learn(object)
	}
}

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
