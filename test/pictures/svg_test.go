package pictures

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// TestSVG draws styles, markup and wide gaps, and reads the picture as XML.
func TestSVG(t *testing.T) {
	out, err := SVG("ssactl diff <a>", "\x1b[1mbold\x1b[22m \x1b[31m<old> & new\x1b[0m\n\x1b[7mplain\x1b[27m\n", 40)
	if err != nil {
		t.Fatal(err)
	}
	dec := xml.NewDecoder(strings.NewReader(string(out)))
	var texts []string
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if c, ok := tok.(xml.CharData); ok && strings.TrimSpace(string(c)) != "" {
			texts = append(texts, string(c))
		}
	}
	if got, want := strings.Join(texts, "|"), "$|ssactl diff <a>|bold|<old> & new|plain"; got != want {
		t.Errorf("the picture has the texts %q, want %q", got, want)
	}
	if want := `fill="` + colors[red] + `">&lt;old&gt;`; !strings.Contains(string(out), want) {
		t.Errorf("no %s in\n%s", want, out)
	}
}

// TestFolded continues wide lines as a terminal does, and loses nothing.
func TestFolded(t *testing.T) {
	lines, err := styled("\x1b[1mabcde\x1b[22mfg\nhi\n")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range folded(lines, 3) {
		text := ""
		for _, r := range line {
			text += r.text
		}
		got = append(got, text)
	}
	if want := "abc|def|g|hi"; strings.Join(got, "|") != want {
		t.Errorf("folded to %q, want %q", got, want)
	}
}

// TestUnknownStyle refuses what it would draw wrongly.
func TestUnknownStyle(t *testing.T) {
	for _, out := range []string{"\x1b[5mblinking", "\x1b[2J"} {
		if _, err := SVG("ssactl", out, 10); err == nil {
			t.Errorf("%q is drawn", out)
		}
	}
}
