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

// Diff is a unified difference of two texts of a manifest file; empty for none.
func Diff(name string, former, text []byte, masking Masking) string {
	return textdiff.Unified(name, name, hunks(former, text, masking))
}

// hunks are the lines that differ between two texts of manifests; nil for none.
// With masks they show what changes, but do not apply to lines with a mask.
func hunks(former, text []byte, masking Masking) []textdiff.Hunk {
	out := textdiff.Lines(string(former), string(text), diffContext)
	if masking == ShowSecrets || len(out) == 0 {
		return out
	}
	before, after := MaskedLines(former), MaskedLines(text)
	for i := range out {
		h := &out[i]
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
	return out
}
