package render

import (
	"io"

	"github.com/ssactl/ssactl/internal/plan/resolve"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/view"
)

// Resolve is the answer of resolve.
func Resolve(d resolve.Document) Answer {
	return Answer{
		Report: d,
		View:   func(o view.Options) model.Document { return view.Resolve(d, o) },
		Own:    map[string]func(io.Writer, Options) error{"diff": func(w io.Writer, _ Options) error { return resolveDiff(w, d) }},
	}
}

// resolveDiff writes how the manifest files change, as patch reads it.
func resolveDiff(w io.Writer, d resolve.Document) error {
	for _, f := range d.Files {
		if _, err := io.WriteString(w, f.Diff); err != nil {
			return err
		}
	}
	return nil
}
