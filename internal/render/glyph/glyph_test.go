package glyph

import (
	"strings"
	"testing"
)

// TestVisible: what does not show itself, or acts on a terminal, is an escape.
func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "",
		"plain ~":                  "plain ~",
		"äöü 宽 🙂 e\u0301":          "äöü 宽 🙂 e\u0301",
		"a\tb\nc\rd":               `a\tb\nc\rd`,
		"\x00\x1b[2J\x7f":          `\x00\x1b[2J\x7f`,
		"\u009b\u202e\u200b":       `\u009b\u202e\u200b`,
		"\xff\xfea":                `\xff\xfea`,
		"\U000e0041":               `\U000e0041`,
		"\u3164\u115f\uffa0\u034f": `\u3164\u115f\uffa0\u034f`,
		"\u00a0\u2028":             `\u00a0\u2028`,
	} {
		if got := Visible(in); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
		if IsVisible(in) != (in == want) {
			t.Errorf("IsVisible(%q) = %v", in, IsVisible(in))
		}
	}
	if got := Lines("a\nb\x1b\n"); got != "a\nb\\x1b\n" {
		t.Errorf("lines %q", got)
	}
}

// TestColumns: wide characters take two, marks on others none.
func TestColumns(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "é": 1, "e\u0301": 1, "宽": 2, "ｗ": 2, "a宽b": 4} {
		if got := Columns(text); got != want {
			t.Errorf("Columns(%q) = %d, want %d", text, got, want)
		}
	}
	if got := Pad("宽", 4) + "|" + Pad("long", 2); got != "宽  |long" {
		t.Errorf("padded %q", got)
	}
}

// TestCut: the middle of a text gives way; the mask of a Secret's value does first, and is
// never cut itself.
func TestCut(t *testing.T) {
	for _, tt := range []struct {
		text  string
		limit int
		want  string
	}{
		{"short", 5, "short"},
		{"0123456789", 5, "01…89"},
		{"0123456789", 6, "012…89"},
		{"0123456789", 1, "…"},
		{"宽宽宽宽", 5, "宽…宽"},
		{"宽宽宽宽", 4, "宽…"},
		{"was *** (secret 1)", 10, "was ***"},
		{`"*** (secret 1)"`, 16, `"*** (secret 1)"`},
		{`"*** (secret 1)"`, 13, `"***"`},
		{"*** (secret 12) -> *** (secret 3)", 10, "*** -> ***"},
		{strings.Repeat("x", 20) + "*** (secret 1)", 9, "xxxx…x***"},
	} {
		got := Cut(tt.text, tt.limit)
		if got != tt.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", tt.text, tt.limit, got, tt.want)
		}
		if Columns(got) > tt.limit {
			t.Errorf("%q has %d columns, at most %d", got, Columns(got), tt.limit)
		}
	}
}
