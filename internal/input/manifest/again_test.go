package manifest

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/document/scan"
)

// inPieces gives a text in pieces of any size.
type inPieces struct {
	text string
	rand *rand.Rand
}

// Read gives the next piece.
func (r *inPieces) Read(p []byte) (int, error) {
	if r.text == "" {
		return 0, io.EOF
	}
	n := copy(p, r.text[:1+r.rand.IntN(min(len(r.text), 100<<10))])
	r.text = r.text[n:]
	return n, nil
}

// all is everything that is said of what was read.
func all(path string, opts Options) []string {
	var lines []string
	opts.OnNotice = func(n Notice) { lines = append(lines, "notice "+n.Message) }
	opts.OnSkip = func(id Identity) { lines = append(lines, fmt.Sprint("skip ", id)) }
	for d, err := range Read([]string{path}, opts) {
		var p *Problem
		if errors.As(err, &p) {
			lines = append(lines, fmt.Sprintf("%s %d %s", p.Op, p.Source.Line, p.Message()))
			continue
		}
		unread := ""
		if errors.As(d.Unread(), &p) {
			unread = p.Message()
		}
		lines = append(
			lines,
			fmt.Sprintf(
				"%v %d %d %s %v %q %s %s", d.Identity, d.Source.Line, d.Item, d.Format, d.Span, d.Text(),
				d.JSON(), unread,
			),
		)
	}
	return lines
}

// A file, whose text need not be held as it can be read again, is read as a stream is,
// in whatever pieces that comes.
func TestFilesAsStreams(t *testing.T) {
	bad := "- apiVersion: v1\n  kind: [\n"
	shared := "    x: &shared y\n- {apiVersion: v1, kind: A, metadata: {name: other, labels: {x: *shared}}}\n"
	texts := map[string]string{
		"no doubt":              filler() + yamlItem3("    x: y\n"),
		"a doubt":               filler() + yamlItem3(shared),
		"a doubt at once":       yamlItem3(shared) + filler(),
		"two doubts":            filler() + yamlItem3(shared) + yamlItem3("    x: \"a\n- b\"\n"),
		"a mistake":             filler() + bad,
		"a doubt and a mistake": yamlItem3(shared) + filler() + bad + filler(),
	}
	for name, items := range texts {
		text := cm("before") + "---\nkind: List\napiVersion: v1\nitems:\n" + items + "---\n" + cm("behind")
		file := filepath.Join(t.TempDir(), "list.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for limit, opts := range map[int]Options{
			100 << 10: {},
			8 << 20:   {Want: func(id Identity) bool { return id.Name != "f-0" }, Defer: func(id Identity) bool { return id.Kind == "F" }},
		} {
			opts.MaxDocumentBytes = limit
			streamed := opts
			streamed.Stdin = &inPieces{text, rand.New(rand.NewPCG(1, uint64(limit)))}
			if diff := cmp.Diff(all("-", streamed), all(file, opts)); diff != "" {
				t.Errorf("%s, limit %d (-stream +file):\n%s", name, limit, diff)
			}
		}
	}
}

// Of a file that can be read again, only the item at hand is held.
func TestFilesAreNotHeld(t *testing.T) {
	text := "apiVersion: v1\nitems:\n" + strings.Repeat(filler(), 4) + "kind: List\n"
	f := &reader{opts: Options{}.WithDefaults(), lasting: strings.NewReader(text), stored: true}
	w := scan.NewWindow(strings.NewReader(text), 0, 2*len(text))
	f.yield = func(Document, error) bool {
		if len(w.Held(0)) > 2*wholeListBytes {
			t.Errorf("%d bytes are held of %d", len(w.Held(0)), len(text))
		}
		return !t.Failed()
	}
	f.readYAML(w)
	if f.given == 0 || len(text) < 4*wholeListBytes {
		t.Errorf("%d documents in %d bytes", f.given, len(text))
	}
}
