package stories

import (
	"errors"
	"fmt"
	"os"

	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/story"
)

// rewrite puts what was observed into the files of stories.
func (o *options) rewrite(tests []*test) error {
	var errs []error
	seen := map[string]bool{}
	for _, t := range tests {
		file := t.At.File
		if file == "" || seen[file] {
			continue
		}
		seen[file] = true
		text, err := os.ReadFile(file)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		var observed []story.Observed
		for _, other := range tests {
			for _, one := range other.told {
				if other.At.File == file && one.Problem == nil {
					observed = append(observed, story.Observed{Step: one.Step, Answers: one.Answers, Failures: one.Failures})
				}
			}
		}
		after, err := story.Update(text, observed)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", file, err))
			continue
		}
		if string(after) == string(text) {
			continue
		}
		if err := replace(file, after); err != nil {
			errs = append(errs, err)
			continue
		}
		fmt.Fprintln(o.app.Streams.Out, file+": updated")
	}
	return errors.Join(errs...)
}

// print prints stories that flags make.
func (o *options) print(tests []*test) error {
	if !o.common.given() {
		return errors.New("--write-story prints the story of --twice, --upgrade or --keeps")
	}
	for i, t := range tests {
		if i > 0 {
			fmt.Fprintln(o.app.Streams.Out, "---")
		}
		text, err := story.Print(t.Story)
		if err != nil {
			return err
		}
		fmt.Fprint(o.app.Streams.Out, string(text))
	}
	return nil
}

// replace replaces a file with a text, whole or not at all.
func replace(file string, text []byte) error {
	out, err := atomic.CreateOutput(file)
	if err != nil {
		return err
	}
	defer out.Discard()
	if _, err := out.Write(text); err != nil {
		return err
	}
	return out.Commit()
}
