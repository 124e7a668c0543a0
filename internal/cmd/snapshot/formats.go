package snapshot

import (
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
)

// formatsOf is the answer of snapshot, whose commands are for a kubectl.
func formatsOf(d Document, client kubectl.Client) render.Answer {
	d = WithCommands(d, client)
	return render.Answer{
		Report: d,
		View:   func(o page.Options) model.Document { return layOut(d, o) },
		Own: map[string]func(io.Writer, render.Options) error{
			"kubectl": func(w io.Writer, _ render.Options) error { return snapshotCommands(w, d) },
		},
	}
}

// snapshotCommands writes a script for a POSIX shell: one that fails costs no other.
func snapshotCommands(w io.Writer, d Document) error {
	var b strings.Builder
	for _, f := range d.Fetches {
		b.WriteString(f.Command + "\n")
	}
	_, err := io.WriteString(w, b.String()+render.ScriptEnd(d.Interrupted))
	return err
}
