package resolve

import (
	"slices"

	"github.com/ssactl/ssactl/internal/textdiff"
)

// diffContext is how many unchanged lines a hunk has on each side.
const diffContext = 3

// Masking says whether the values of Secrets are shown.
type Masking int

// The ways of showing Secrets. MaskSecrets masks their values.
const (
	MaskSecrets Masking = iota
	ShowSecrets
)

// Hunks are the changed lines of the file; nil when it is as it was. With
// masks they tell what changes, and patch no file where a mask is.
func (f *File) Hunks(masking Masking) []textdiff.Hunk {
	former, text := f.Former(), f.Text()
	hunks := textdiff.Lines(string(former), string(text), diffContext)
	if masking == ShowSecrets || len(hunks) == 0 {
		return hunks
	}
	before, after := MaskedLines(former), MaskedLines(text)
	for i := range hunks {
		h := &hunks[i]
		h.Lines = slices.Clone(h.Lines)
		old, new := h.OldStart-1, h.NewStart-1
		for n := range h.Lines {
			line := &h.Lines[n]
			if line.Kind == textdiff.Insert {
				line.Text = after[new]
			} else {
				line.Text = before[old]
			}
			if line.Kind != textdiff.Insert {
				old++
			}
			if line.Kind != textdiff.Delete {
				new++
			}
		}
	}
	return hunks
}
