package document

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v3"
)

func TestLines(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{""}},
		{"one line", "a", []string{"a"}},
		{"final break", "a\n", []string{"a", ""}},
		{"every break", "a\r\nb\rc\u0085d\u2028e\u2029f\n\ng", []string{"a", "b", "c", "d", "e", "f", "", "g"}},
		{"other characters of the same bytes", "\u00c2\u2027", []string{"\u00c2\u2027"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines := NewLines([]byte(tt.text))
			var got []string
			for line := 1; line <= lines.Count(); line++ {
				got = append(got, string(lines.Text(line)))
				if number := lines.Line(lines.Start(line)); number != line {
					t.Errorf("line %d starts in line %d", line, number)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOffsetInLongLines(t *testing.T) {
	text := "a\n" + strings.Repeat("xü", 3000) + "\nb"
	lines := NewLines([]byte(text))
	for _, column := range []int{1, 2, 3, 1024, 1025, 1026, 4097, 6000} {
		want := 2 + (column-1)/2*3 + (column-1)%2
		if got := lines.Offset(2, column); got != want {
			t.Errorf("column %d is at %d, want %d", column, got, want)
		}
	}
	if got, want := lines.Offset(2, 9999), len(text)-1; got != want {
		t.Errorf("a column past the end is at %d, want %d", got, want)
	}
}

// FuzzOffset: the offset of every plain scalar without anchor or tag is where its
// text begins.
func FuzzOffset(f *testing.F) {
	f.Add([]byte("a: b\r\nü: [ö, é: 1]\r\nx: \"\u2028 z\"\ny: z\n"))
	f.Add([]byte("- |\n  # no\n\n- b\u0085- c\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var root yaml.Node
		if len(text) > 0 && text[0] >= 0xEF || yaml.Unmarshal(text, &root) != nil {
			return
		}
		check(t, text, NewLines(text), &root)
	})
}

func check(t *testing.T, text []byte, lines Lines, n *yaml.Node) {
	t.Helper()
	plain := n.Kind == yaml.ScalarNode && n.Style == 0 && n.Anchor == "" && n.Value != ""
	if offset := lines.Offset(n.Line, n.Column); plain && text[offset] != '!' && text[offset] != n.Value[0] {
		t.Fatalf("%q: %q is not at line %d, column %d", text, n.Value, n.Line, n.Column)
	}
	for _, child := range n.Content {
		check(t, text, lines, child)
	}
}

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
		"---# a":    {separator: true},
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
