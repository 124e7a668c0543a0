package render

import (
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/plan/snapshot"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/view"
)

// Snapshot is the answer of snapshot, whose commands are for a kubectl.
func Snapshot(d snapshot.Document, client kubectl.Client) Answer {
	d = view.SnapshotDocument(d, client)
	return Answer{
		Report: d,
		View:   func(o view.Options) model.Document { return view.Snapshot(d, o) },
		Own: map[string]func(io.Writer, Options) error{
			"kubectl": func(w io.Writer, _ Options) error { return snapshotCommands(w, d) },
		},
	}
}

// snapshotCommands writes a script for a POSIX shell: one that fails costs no other.
func snapshotCommands(w io.Writer, d snapshot.Document) error {
	var b strings.Builder
	for _, f := range d.Fetches {
		b.WriteString(f.Command + "\n")
	}
	_, err := io.WriteString(w, b.String()+scriptEnd(d.Interrupted))
	return err
}
