package render

import (
	"io"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/resolve"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/render/view"
)

// Resolve is the answer of resolve.
func Resolve(d resolve.Document) Answer {
	return Answer{
		Report: d,
		View:   func(o view.Options) model.Document { return view.Resolve(d, o) },
		Own: map[string]func(io.Writer, Options) error{
			"diff": func(w io.Writer, _ Options) error { return resolveDiff(w, d) },
			"text": func(w io.Writer, o Options) error {
				v := o.view()
				v.Brief = !o.Verbose
				return show(text.New(w, o.text()), view.Resolve(d, v))
			},
		},
	}
}

// Review is what decisions make of manifests: see view.Review.
func Review(d resolve.Document, applies explain.Document, forced []view.Question, o Options) []model.Block {
	return view.Review(d, applies, forced, o.view())
}

// Edited is the diff of a file that was edited.
func Edited(diff string) []model.Block { return view.Edited(diff) }

// Blocks writes blocks as text.
func Blocks(w io.Writer, blocks []model.Block, o Options) error {
	_, err := io.WriteString(w, text.Blocks(blocks, o.text()))
	return err
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
