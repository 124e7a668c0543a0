package words

import "testing"

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
