package glyph

import "testing"

func TestCut(t *testing.T) {
	for _, test := range []struct {
		text  string
		limit int
		want  string
	}{
		{"short", 5, "short"},
		{"much longer", 5, "mu…er"},
		{`"*** (secret 1)"`, 16, `"*** (secret 1)"`},
		{`"*** (secret 1)"`, 13, `"***"`},
		{`"*** (secret 1)" -> "*** (secret 12)"`, 20, `"***" -> "***"`},
	} {
		if got := Cut(test.text, test.limit); got != test.want {
			t.Errorf("%s at %d: %s, want %s", test.text, test.limit, got, test.want)
		}
	}
}
