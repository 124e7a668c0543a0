package app

import (
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
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
