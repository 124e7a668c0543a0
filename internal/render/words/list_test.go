package words

import (
	"slices"
	"testing"
)

func TestAnd(t *testing.T) {
	for _, test := range []struct {
		names     []string
		and, owns string
	}{
		{nil, "", " own"},
		{[]string{"a"}, "a", "a owns"},
		{[]string{"a", "b"}, "a and b", "a and b own"},
		{[]string{"a", "b", "c"}, "a, b and c", "a, b and c own"},
	} {
		if got := And(test.names); got != test.and {
			t.Errorf("And(%q) = %q, want %q", test.names, got, test.and)
		}
		if got := Own(test.names); got != test.owns {
			t.Errorf("Own(%q) = %q, want %q", test.names, got, test.owns)
		}
	}
}

// TestAndOfMany: a sentence does not grow with the field managers of an object.
func TestAndOfMany(t *testing.T) {
	few, many := And(slices.Repeat([]string{"a"}, mostNames+1)), And(slices.Repeat([]string{"a"}, 20000))
	if len(many) > len(few)+len("19950") {
		t.Errorf("%d characters, and of %d names %d", len(many), mostNames+1, len(few))
	}
	if want := "a, a and 19950 others"; many[len(many)-len(want):] != want {
		t.Errorf("ends with %q, want %q", many[len(many)-len(want):], want)
	}
}
