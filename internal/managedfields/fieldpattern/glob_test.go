package fieldpattern

import "testing"

func TestGlob(t *testing.T) {
	for _, test := range []struct {
		pattern, s string
		want       bool
	}{
		{"", "", true}, {"", "a", false}, {"*", "", true}, {"*", "a", true}, {"a", "a", true}, {"a*", "ab", true}, {"a*", "ba", false},
		{"*b", "ab", true}, {"a*a", "a", false}, {"a*b*c", "aXbYc", true}, {"a*b*c", "acb", false}, {"[a]*", "[a].b", true}, {"**", "x", true},
	} {
		if got := Glob(test.pattern, test.s); got != test.want {
			t.Errorf("Glob(%q, %q) = %v, want %v", test.pattern, test.s, got, test.want)
		}
	}
}
