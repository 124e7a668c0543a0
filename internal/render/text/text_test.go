package text

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/model"
)

// Lines with colors are as wide as what is seen of them; a number stays with
// what it counts, and a long word or a field path stays whole.
func TestWrapped(t *testing.T) {
	p := newPrinter(Options{Width: 40, Color: true})
	p.wrapped(
		"",
		hang,
		model.Textf(
			"%v: %v, %v",
			model.Strong.Of("3 objects"),
			model.Changed.Of("1 to clear (2 managed fields entries)"),
			model.Bad.Of("2 refused"),
		),
	)
	p.wrapped(
		"  ",
		"  ",
		model.Textf(
			"two  columns and %v end %v",
			model.Strong.Of("a-word-that-is-longer-than-the-width-of-it"),
			model.Field.Of(`.data[name="a b"]`),
		),
	)
	want := "\x1b[1m3 objects\x1b[22m: \x1b[33m1 to clear (2 managed fields\x1b[0m\n    \x1b[33mentries)\x1b[0m, \x1b[31m2 refused\x1b[0m\n" +
		"  two columns and\n  \x1b[1ma-word-that-is-longer-than-the-width-of-it\x1b[22m\n  end .data[name=\"a b\"]\n"
	if diff := cmp.Diff(want, p.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
