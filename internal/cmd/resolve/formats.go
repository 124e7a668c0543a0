package resolve

import (
	"io"

	"github.com/ssactl/ssactl/internal/cmd/resolve/interactive"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/text"
)

// formatsOf is the answer of resolve.
func formatsOf(d Document) render.Answer {
	return render.Answer{
		Report: d,
		View:   func(o page.Options) model.Document { return layOut(d, o) },
		Own: map[string]func(io.Writer, render.Options) error{
			"diff": func(w io.Writer, _ render.Options) error { return resolveDiff(w, d) },
			"text": func(w io.Writer, o render.Options) error {
				v := o.View()
				v.Brief = !o.Verbose
				return render.Show(text.New(w, o.Text()), layOut(d, v))
			},
		},
	}
}

// layOutReview is what decisions make of manifests: see view.Review.
func layOutReview(d Document, applies conflict.Document, forced []interactive.Question, o render.Options) []model.Block {
	return Review(d, applies, forced, o.View())
}

// layOutEdited is the diff of a file that was edited.
func layOutEdited(diff string) []model.Block { return Edited(diff) }

// Blocks writes blocks as text.
func Blocks(w io.Writer, blocks []model.Block, o render.Options) error {
	_, err := io.WriteString(w, text.Blocks(blocks, o.Text()))
	return err
}

// resolveDiff writes how the manifest files change, as patch reads it.
func resolveDiff(w io.Writer, d Document) error {
	for _, f := range d.Files {
		if _, err := io.WriteString(w, f.Diff); err != nil {
			return err
		}
	}
	return nil
}

// Questions are what there is to decide about applies: see view.Questions.
func Questions(d conflict.Document, stops []conflict.Stop, secrets interactive.Secrets, o render.Options) []interactive.Question {
	return interactive.Questions(d, stops, secrets, o.View())
}
