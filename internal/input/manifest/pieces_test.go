package manifest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/document"
)

// The pieces and the separators between them join to the text; a piece alone
// reads as the document that it is, and a separator alone as nothing.
func FuzzPieces(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	for _, l := range []layout{indented, compact, perLine} {
		f.Add([]byte(l.list(nested("a"), nested("b"))))
	}
	f.Add([]byte("# c\n%YAML 1.1\n---\n" + cm("a") + "...\nx\n--- # s\nnull\n---\r\n" + cm("b")))
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.HasPrefix(text, gzipMagic) || bytes.HasPrefix(text, utf16LE) || bytes.HasPrefix(text, utf16BE) {
			return
		}
		documents, problems := Load([]string{"-"}, Options{Stdin: bytes.NewReader(text)})
		var joined []byte
		for _, d := range documents {
			if d.Span == (Span{}) {
				continue
			}
			at := int64(len(joined))
			if d.Span.Start < at || d.Span.End < d.Span.Start || d.Span.End > int64(len(text)) {
				t.Fatalf("the piece at %v does not follow what ends at %d", d.Span, at)
			}
			separator := text[at:d.Span.Start]
			joined = append(joined, separator...)
			piece := text[d.Span.Start:d.Span.End]
			joined = append(joined, pieceOf(d, piece)...)
			if len(problems) == 0 && d.Item == 0 {
				readsAs(t, separator, nil)
				if d.Format == JSON || !bytes.HasPrefix(bytes.TrimSpace(piece), []byte("{")) {
					readsAs(t, piece, &d)
				}
			}
		}
		joined = append(joined, text[len(joined):]...)
		if diff := cmp.Diff(string(text), string(joined)); diff != "" {
			t.Errorf("text (-want +got):\n%s", diff)
		}
	})
}

// pieceOf gives Raw as it stands in the text: the items of a YAML List with
// their dash, those of a typed List without what was filled in.
func pieceOf(d Document, piece []byte) []byte {
	if d.Item == 0 || bytes.HasPrefix(piece, []byte("{")) && d.Format == JSON {
		if d.Item > 0 && len(d.Raw) != len(piece) {
			return piece
		}
		return d.Raw
	}
	if d.Format == JSON {
		return piece
	}
	raw := bytes.Clone(d.Raw)
	dash := bytes.IndexByte(piece, '-')
	raw[dash] = '-'
	return raw
}

// readsAs reads a part of a text alone.
func readsAs(t *testing.T, part []byte, want *Document) {
	t.Helper()
	documents, problems := Load([]string{"-"}, Options{Stdin: bytes.NewReader(part)})
	switch {
	case want == nil && (len(documents) > 0 || len(problems) != 1 || !strings.HasPrefix(problems[0].Message(), "the file has no object")):
		t.Errorf("the separator %q reads as %d documents and %v", part, len(documents), problems)
	case want != nil && len(documents) != 1:
		t.Errorf("the piece %q reads as %d documents and %v", part, len(documents), problems)
	case want != nil:
		if diff := cmp.Diff(string(want.JSON()), string(documents[0].JSON())); diff != "" {
			t.Errorf("the piece %q (-want +got):\n%s", part, diff)
		}
	}
}

// FuzzSplit: edits find a document of a file by the number that it was read with.
func FuzzSplit(f *testing.F) {
	for _, seed := range append(seeds, "# c\n%YAML 1.1\n---\n"+cm("a")+"...\nx\n--- # s\nnull\n---\r\n"+cm("b"), cmJSON("a")+cmJSON("b")+"\n---\n"+cm("c"),
		"---\n---# c\n"+cmJSON("a")+"\n---\n\n", cm("a")+"---\n# c\n---\n"+cmJSON("b")) {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.HasPrefix(text, gzipMagic) || bytes.HasPrefix(text, utf16LE) || bytes.HasPrefix(text, utf16BE) ||
			bytes.HasPrefix(text, utf8BOM) {
			return
		}
		documents, problems := Load([]string{"-"}, Options{Stdin: bytes.NewReader(text)})
		if len(problems) > 0 {
			return
		}
		parts := map[int]document.Part{}
		for _, p := range document.Split(text) {
			parts[p.Number] = p
		}
		for _, d := range documents {
			p, found := parts[d.Source.Document]
			if d.Span == (Span{}) {
				continue
			}
			start, end := int64(p.Start), int64(p.End)
			isThere := d.Span.Start <= start && start < d.Span.End && end <= d.Span.End
			if d.Item > 0 {
				isThere = start <= d.Span.Start && d.Span.Start < end
			}
			if !found || !isThere {
				t.Errorf("%q: document %d, item %d, at %v, is %v", text, d.Source.Document, d.Item, d.Span, p.Span)
			}
		}
	})
}
