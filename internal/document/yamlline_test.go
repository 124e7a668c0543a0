package document

import "testing"

func TestIsDash(t *testing.T) {
	for line, want := range map[string]bool{"- a": true, "-": true, "-\n": true, "-\r\n": true, "-\ta": true, "-a": false, "--- ": false, "a": false, "": false} {
		if IsDash([]byte(line), 0) != want || IsDash([]byte("x "+line), 2) != want {
			t.Errorf("%q: want %v", line, want)
		}
	}
}

func TestPastDashes(t *testing.T) {
	for text, want := range map[string]string{"- -  a: b": "a: b", "-a": "-a", "-": "-", "- ": "", "a - b": "a - b"} {
		if got := PastDashes([]byte(text)); string(got) != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestYAMLLines(t *testing.T) {
	for line, want := range map[string]struct{ blank, separator, end bool }{
		"":          {blank: true},
		"  # a\n":   {blank: true},
		" a\n":      {},
		"---\n":     {separator: true},
		"--- # a":   {separator: true},
		"---a":      {},
		" ---":      {},
		"...\r\n":   {end: true},
		"... # not": {},
	} {
		text := []byte(line)
		if IsBlank(text) != want.blank || IsSeparator(text) != want.separator || IsEnd(text) != want.end {
			t.Errorf("%q: %v, %v, %v", line, IsBlank(text), IsSeparator(text), IsEnd(text))
		}
	}
}
