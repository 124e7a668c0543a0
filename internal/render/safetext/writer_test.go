package safetext

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/glyph"
)

// TestReadings: what each reading makes of a text.
func TestReadings(t *testing.T) {
	cases := []struct{ text, plain, painted string }{
		{text: "a\tb: c\nd\r\ne"},
		{"\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`, "\x1b[31mred\x1b[0m"},
		{"\x1b[7;31mred\x1b[0;27m", `\x1b[7;31mred\x1b[0;27m`, "\x1b[7;31mred\x1b[0;27m"},
		{text: "\x1b[8mhidden", plain: `\x1b[8mhidden`},
		{text: "\x1b[1;8mhidden", plain: `\x1b[1;8mhidden`},
		{text: "\x1b[2J\x1b]0;title\a\x1bc\u009b31m", plain: `\x1b[2J\x1b]0;title\x07\x1bc\u009b31m`},
		{text: "a\rb\r", plain: `a\rb\r`},
		{text: "a\x00b\x7f\xff\u202e\ufeff\u2028", plain: `a\x00b\x7f\xff\u202e\ufeff\u2028`},
		{text: "::error::x\n  \t::a\n", plain: `\x3a:error::x` + "\n  \t" + `\x3a:a` + "\n"},
		{text: ":a\n:\nb::c :: d"},
		{text: "##[group]a ###[b] ##vso[c] #[d] ## [e]", plain: `##\x5bgroup]a ###\x5bb] ##vso\x5bc] #[d] ## [e]`},
		{text: "\u00e9\u4e16\U0001f600"},
		{text: "ends early \xe4\xb8", plain: `ends early \xe4\xb8`},
		{text: ":"},
	}
	for _, c := range cases {
		if c.plain == "" {
			c.plain = c.text
		}
		if c.painted == "" {
			c.painted = c.plain
		}
		for reading, want := range map[Reading]string{Plain: c.plain, Painted: c.painted, Exact: c.text} {
			for size := 1; size <= len(c.text); size++ {
				if diff := cmp.Diff(want, inPieces(t, c.text, reading, size)); diff != "" {
					t.Errorf("%q in pieces of %d: (-want +got)\n%s", c.text, size, diff)
				}
			}
		}
		if diff := cmp.Diff(patchText(c.plain), inPieces(t, c.text, Patch, 1)); diff != "" {
			t.Errorf("%q as a patch: (-want +got)\n%s", c.text, diff)
		}
		for _, reading := range []Reading{JSON, Markup} {
			if got := unescaped.Replace(inPieces(t, c.text, reading, 1)); utf8.ValidString(c.text) && got != c.text {
				t.Errorf("%q is read as %q", c.text, got)
			}
		}
		if diff := cmp.Diff(c.plain, String(c.text)); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", c.text, diff)
		}
	}
}

// patchText has what does not show itself, and does nothing else, as it is.
func patchText(plain string) string { return strings.ReplaceAll(plain, `\ufeff`, "\ufeff") }

// unescaped reads the escapes of JSON and markup.
var unescaped = strings.NewReplacer(`\u005b`, "[", "&#58;", ":", "&#91;", "[")

// TestPrograms: what programs read keeps its meaning, and is no command.
func TestPrograms(t *testing.T) {
	for _, c := range []struct {
		reading    Reading
		text, want string
	}{
		{JSON, `{"a":"##[b]"}` + "\n", `{"a":"##\u005bb]"}` + "\n"},
		{JSON, `{"::":"#"}`, `{"::":"#"}`},
		{JSON, `{"#[a]":"#b##vso[c]#"}` + "\n#", `{"#[a]":"#b##vso\u005bc]#"}` + "\n#"},
		{Markup, "<pre>a\n ::b ##[c]</pre>", "<pre>a\n &#58;:b ##&#91;c]</pre>"},
		{Markup, "a::b#[c]", "a::b#[c]"},
	} {
		for size := 1; size <= len(c.text); size++ {
			if diff := cmp.Diff(c.want, inPieces(t, c.text, c.reading, size)); diff != "" {
				t.Errorf("%q in pieces of %d: (-want +got)\n%s", c.text, size, diff)
			}
		}
	}
}

func inPieces(t *testing.T, text string, reading Reading, size int) string {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out, reading)
	for text != "" {
		piece := text[:min(size, len(text))]
		text = text[len(piece):]
		if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestReadingsShareALine: where one reading has left the line, another goes on.
func TestReadingsShareALine(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, Plain)
	for _, write := range []func() error{
		func() error { _, err := io.WriteString(w, "a "); return err },
		func() error { _, err := io.WriteString(w.As(Exact), "::b\n"); return err },
		func() error { _, err := io.WriteString(w.As(Painted), ":"); return err },
		func() error {
			_, err := io.WriteString(w.Around(func(w io.Writer) io.Writer { return w }), ":c")
			return err
		},
		w.Flush,
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff("a ::b\n"+`\x3a:c`, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestWriteFails: the error of the place is the writer's.
func TestWriteFails(t *testing.T) {
	w := NewWriter(failing{}, Plain)
	if n, err := w.Write([]byte("a")); n != 0 || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %d, %v", n, err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// FuzzPlain: whatever is written, and in whatever pieces, nothing is left for a
// terminal or a runner to act on, and what is harmless stays as it is.
func FuzzPlain(f *testing.F) {
	f.Add("::a\x1b[31m\r\n##[x", 3)
	f.Fuzz(func(t *testing.T, text string, size int) {
		got := inPieces(t, text, Plain, max(1, size))
		if whole := String(text); whole != got {
			t.Errorf("in pieces of %d %q, whole %q", size, got, whole)
		}
		for line := range strings.Lines(got) {
			line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
			if !glyph.IsVisible(strings.ReplaceAll(line, "\t", "")) || strings.HasPrefix(strings.TrimSpace(line), "::") ||
				strings.Contains(line, "##[") {
				t.Errorf("%q of %q", line, text)
			}
		}
		if again := String(got); again != got {
			t.Errorf("%q becomes %q", got, again)
		}
	})
}

// TestMasking: what is masked is the text, not its escapes.
func TestMasking(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, Exact).Masking(func(s string) string { return strings.ReplaceAll(s, "a\x1bb", "****") })
	if _, err := io.WriteString(w.As(Plain), "x a\x1bb\n"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("x ****\n", out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
