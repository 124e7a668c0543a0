package interactive

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/glyph"
)

// TestFold cuts lines at the width of the terminal; colors go on in the next line, and end
// with each.
func TestFold(t *testing.T) {
	const red, bold, off = "\x1b[31m", "\x1b[1m", "\x1b[0m"
	for _, test := range []struct {
		name, text string
		width      int
		want       []string
	}{
		{"short lines", "ab\ncd\n", 4, []string{"ab", "cd"}},
		{"an empty line", "\n", 4, []string{""}},
		{"a long line", "abcdef", 4, []string{"abcd", "ef"}},
		{"a wide rune does not fit", "abc世d", 4, []string{"abc", "世d"}},
		{"a color goes on", red + "abcdef" + off + "g", 4, []string{red + "abcd" + off, red + "ef" + off + "g"}},
		{"two colors", bold + red + "abcdef", 4, []string{bold + red + "abcd" + off, bold + red + "ef"}},
		{"a color that has ended", red + "ab" + off + "cdef", 4, []string{red + "ab" + off + "cd", "ef"}},
		{"ended by its own sequence", red + "ab\x1b[39mcdef", 4, []string{red + "ab\x1b[39mcd", "ef"}},
		{"a terminal of one column has two", "abc", 1, []string{"ab", "c"}},
	} {
		if diff := cmp.Diff(test.want, fold(test.text, test.width)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	if got := painted("\x1b[31"); got != "" {
		t.Errorf("a sequence without an end is %q", got)
	}
}

// FuzzFold: nothing but line breaks and colors is added, and no line is too long.
func FuzzFold(f *testing.F) {
	f.Add("abc \x1b[31mdef\x1b[0m", 3)
	f.Add("世界\n\n", 2)
	f.Fuzz(func(t *testing.T, text string, width int) {
		if width < 2 || width > 200 || strings.Contains(text, "\x1b") || strings.HasSuffix(text, "\n\n") {
			return
		}
		lines := fold(text, width)
		if got := strings.ReplaceAll(strings.Join(lines, ""), "\n", ""); got != strings.ReplaceAll(text, "\n", "") {
			t.Errorf("%q is %q", text, got)
		}
		for _, line := range lines {
			if n := glyph.Columns(line); n > width && len([]rune(line)) > 1 {
				t.Errorf("%q has %d of %d columns", line, n, width)
			}
		}
	})
}

// TestScrolling: a body that is longer than the terminal is moved line by line and by pages,
// and not beyond its ends.
func TestScrolling(t *testing.T) {
	body := make([]string, 20)
	s := screen{head: []string{"head"}, foot: []string{"foot"}, body: body, size: Size{Width: 40, Height: 10}}
	if s.room() != 6 || s.last() != 14 {
		t.Fatalf("room %d, last %d", s.room(), s.last())
	}
	for _, test := range []struct {
		top  int
		key  string
		want int
	}{
		{0, "up", 0}, {0, "down", 1}, {0, "pgdown", 6}, {0, "space", 6}, {10, "space", 14}, {14, "down", 14}, {9, "pgup", 3}, {3, "pgup", 0}, {9, "home", 0}, {0, "end", 14},
	} {
		s.top = test.top
		if got := s.scrolled(test.key); got != test.want {
			t.Errorf("%s from %d: %d, want %d", test.key, test.top, got, test.want)
		}
		if !scrolls(test.key) {
			t.Errorf("%s does not move the body", test.key)
		}
	}
	for top, want := range map[int]string{0: "… 14 more lines (space, down)", 6: "… 8 more lines (space, down)", 14: "… 14 lines above (up)"} {
		s.top = top
		if got := s.hidden(min(len(body), top+s.room())); got != want {
			t.Errorf("from %d: %q, want %q", top, got, want)
		}
	}
	s.body, s.top = body[:2], 0
	if got := s.hidden(2); got != "" {
		t.Errorf("of a short body %q is said", got)
	}
	s.size.Height = 1
	if s.room() != 1 || s.String() != "foot" {
		t.Errorf("a terminal of one line shows %q", s.String())
	}
}

// TestResizing: a screen that becomes higher is not scrolled beyond its end.
func TestResizing(t *testing.T) {
	w := NewWalk(questions(), nil, preview).Resize(Size{Width: 60, Height: 12}).Press("end")
	if w.top == 0 {
		t.Fatal("the body fits")
	}
	if w = w.Resize(Size{Width: 200, Height: 60}); w.top != 0 {
		t.Errorf("the body begins at line %d", w.top)
	}
	c := Confirm{Blocks: say(strings.Repeat("line ", 400))}.Resize(Size{Width: 40, Height: 10}).Press("end")
	if c.top == 0 || c.Press("home").top != 0 || c.ended() {
		t.Errorf("a confirmation is not scrolled: %d", c.top)
	}
	if view := c.View(); !strings.Contains(view, "y write · e edit again") {
		t.Errorf("the keys are missing:\n%s", view)
	}
	c.Wrong = true
	if view := c.View(); strings.Contains(view, "y write") {
		t.Errorf("a wrong text can be written:\n%s", view)
	}
}
