package render

import (
	"io"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/textdiff"
)

// diffContext is the number of equal lines around a change.
const diffContext = 3

// Diff writes a unified diff from the live to the resulting object for each
// accepted write that changes something. Created and deleted objects have
// /dev/null on their empty side.
func Diff(w io.Writer, report engine.Report, o Options) error {
	for _, r := range report.Results {
		if r.Outcome.Refused() {
			continue
		}
		d, err := Texts(r, o)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, d.Unified()); err != nil {
			return err
		}
	}
	return nil
}

// DiffTexts are the two sides of an object's diff.
type DiffTexts struct {
	// Name is a file name for the object, safe on every system; the same as
	// kubectl diff gives it where that is possible.
	Name string
	// Live and Merged are YAML; empty where there is no object.
	Live, Merged string
}

// Texts gives the two sides that every diff of a result compares: YAML without
// what the options leave out.
func Texts(r engine.Result, o Options) (DiffTexts, error) {
	d := DiffTexts{Name: fileName(r.Target)}
	live, merged := forDiff(r.Live, o.Ignore.Keep(r.Live, r.Object), o)
	var err error
	if live != nil {
		if d.Live, err = encodeYAML(live); err != nil {
			return d, err
		}
	}
	if merged != nil {
		d.Merged, err = encodeYAML(merged)
	}
	return d, err
}

// Hunks gives the changed lines with their context.
func (d DiffTexts) Hunks() []textdiff.Hunk {
	return textdiff.Lines(d.Live, d.Merged, diffContext)
}

// Unified is the diff as patch reads it; empty when nothing differs.
func (d DiffTexts) Unified() string {
	old, new := "live/"+d.Name, "merged/"+d.Name
	if d.Live == "" {
		old = "/dev/null"
	}
	if d.Merged == "" {
		new = "/dev/null"
	}
	return textdiff.Unified(old, new, d.Hunks())
}

// Differs tells whether any accepted write changes something that diffs show.
func Differs(report engine.Report, o Options) (bool, error) {
	for _, r := range report.Results {
		if r.Outcome.Refused() {
			continue
		}
		d, err := Texts(r, o)
		if err != nil {
			return false, err
		}
		if d.Live != d.Merged {
			return true, nil
		}
	}
	return false, nil
}
