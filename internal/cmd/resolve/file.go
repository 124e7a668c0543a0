package resolve

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/document"
	"github.com/ssactl/ssactl/internal/files/edit"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/textdiff"
)

// File is the text of one manifest file that is being edited.
type File struct {
	// Name is the path as the user gave it.
	Name string

	text      []byte
	options   manifest.Options
	documents []manifest.Document
	// wholes are the numbers of the documents that are edited as a whole: Lists with an item that cannot be
	// cut out. Cut out, another one would be edited twice.
	wholes map[int]bool
	pieces []*piece
}

// errChanged is the error of a text that is not the one that was read before.
var errChanged = errors.New("the file is not as it was when its manifests were read")

// NewFile takes the text of a file as an editor shows it (decompressed). The
// options are those that its manifests were read with. It keeps text and does
// not change it.
func NewFile(name string, text []byte, options manifest.Options) *File {
	f := &File{Name: name, text: text, options: options, wholes: map[int]bool{}}
	f.documents = f.read(text)
	for _, d := range f.documents {
		if d.Item > 0 && d.Span == (manifest.Span{}) {
			f.wholes[d.Source.Document] = true
		}
	}
	return f
}

// Former is the text as it was given.
func (f *File) Former() []byte { return f.text }

// Text is the text with all edits; Former where there is none.
func (f *File) Text() []byte {
	pieces := slices.DeleteFunc(slices.Clone(f.pieces), func(p *piece) bool { return !p.edited() })
	if len(pieces) == 0 {
		return f.text
	}
	slices.SortFunc(pieces, func(a, b *piece) int { return int(a.start - b.start) })
	var out []byte
	done := int64(0)
	for _, p := range pieces {
		out = append(out, f.text[done:p.start]...)
		out = append(out, p.text()...)
		done = p.end
	}
	return append(out, f.text[done:]...)
}

// read gives the documents of a text. What cannot be read is no document, and
// stays as it is.
func (f *File) read(text []byte) []manifest.Document {
	options := f.options
	options.Stdin = bytes.NewReader(text)
	options.OnNotice = nil
	documents, _ := manifest.Load([]string{"-"}, options)
	return documents
}

// reread gives the documents of the edited text in the order of the former
// ones, and proves that nothing but the edited documents differs: the same
// objects in the same places, and the same bytes wherever no edit was made.
func (f *File) reread() ([]manifest.Document, error) {
	after := f.read(f.Text())
	if len(after) != len(f.documents) {
		return nil, fmt.Errorf("the edited text has %d objects, the former %d", len(after), len(f.documents))
	}
	for i, d := range f.documents {
		if after[i].Identity != d.Identity || after[i].Source.Document != d.Source.Document || after[i].Item != d.Item {
			return nil, fmt.Errorf("document %d of the edited text is another object", d.Source.Document)
		}
		if p := f.pieceWith(d); (p == nil || !p.edited()) && !sameValue(after[i].JSON(), d.JSON()) {
			return nil, fmt.Errorf("document %d of the edited text says something else", d.Source.Document)
		}
	}
	return after, nil
}

// sameValue reports whether two texts are the same JSON value; 1 and 1.0 are.
func sameValue(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	if kjson.Unmarshal(a, &x) != nil || kjson.Unmarshal(b, &y) != nil {
		return false
	}
	a, errA := kjson.Marshal(x)
	b, errB := kjson.Marshal(y)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// index finds a document that was read from this file before.
func (f *File) index(d manifest.Document) (int, error) {
	for i, own := range f.documents {
		if own.Source.Document == d.Source.Document && own.Item == d.Item {
			if !bytes.Equal(own.Raw, d.Raw) {
				return 0, errChanged
			}
			return i, nil
		}
	}
	return 0, errChanged
}

func (f *File) pieceWith(d manifest.Document) *piece {
	for _, p := range f.pieces {
		if p.document == d.Source.Document && (p.item == d.Item || p.item == 0) {
			return p
		}
	}
	return nil
}

// open gives the piece that a document is edited in, and the path of the
// document in it.
func (f *File) open(d manifest.Document) (*piece, fieldpath.Path, error) {
	prefix := fieldpath.Path{}
	whole := f.wholes[d.Source.Document]
	if whole {
		prefix = fieldpath.MakePathOrDie("items", d.Item-1)
	}
	if p := f.pieceWith(d); p != nil {
		return p, prefix, nil
	}
	p, raw, err := f.cut(d, whole)
	if err != nil {
		return nil, nil, err
	}
	if p.doc, err = edit.Document(raw); err != nil {
		return nil, nil, err
	}
	f.pieces = append(f.pieces, p)
	return p, prefix, nil
}

func (f *File) cut(d manifest.Document, whole bool) (*piece, []byte, error) {
	p := &piece{start: d.Span.Start, end: d.Span.End, document: d.Source.Document, item: d.Item, dash: -1}
	if whole {
		p.item, p.start, p.end = 0, 0, 0
		for _, section := range document.Split(f.text) {
			if section.Number == p.document {
				p.start, p.end = int64(section.SectionStart), int64(section.SectionEnd)
				break
			}
		}
	}
	if p.end > int64(len(f.text)) || p.start >= p.end {
		return nil, nil, errChanged
	}
	p.former = f.text[p.start:p.end]
	if whole || d.Item == 0 || d.Format == manifest.JSON {
		return p, p.former, nil
	}
	p.dash = bytes.IndexByte(p.former, '-')
	if p.dash < 0 || len(bytes.TrimLeft(p.former[:p.dash], " ")) > 0 {
		return nil, nil, errors.New("the dash of the List's item is not found")
	}
	raw := bytes.Clone(p.former)
	raw[p.dash] = ' '
	return p, raw, nil
}

// A piece is the part of a file that is edited as one document: a document, an
// item of a List that can be cut out, or a whole List whose items cannot.
type piece struct {
	start, end int64
	document   int
	// item counts from 1; 0 for a whole document.
	item int
	// dash is where the dash of a YAML List's item was replaced by a space;
	// negative for anything else.
	dash   int
	former []byte
	doc    *edit.Doc
}

// body is what a piece says about one of its objects.
type body struct {
	text    []byte
	decoded any
}

func (p *piece) edited() bool { return !bytes.Equal(p.text(), p.former) }

// text is the piece as it stands in the file.
func (p *piece) text() []byte {
	if p.dash < 0 {
		return p.doc.Bytes()
	}
	text := bytes.Clone(p.doc.Bytes())
	if p.dash < len(text) {
		text[p.dash] = '-'
	}
	return text
}

// keepsDash reports whether the dash can be put back.
func (p *piece) keepsDash() bool {
	text := p.doc.Bytes()
	return p.dash < 0 || p.dash < len(text) && text[p.dash] == ' ' && bytes.Equal(text[:p.dash], p.former[:p.dash])
}

// body reads the object at a path of the piece.
func (p *piece) body(prefix fieldpath.Path) (body, error) {
	text := p.doc.Bytes()
	tree, err := decode(text)
	if err != nil {
		return body{}, err
	}
	if len(prefix) == 0 {
		return body{text, tree}, nil
	}
	list, _ := tree.(map[string]any)
	items, _ := list["items"].([]any)
	i := *prefix[1].Index
	if i >= len(items) {
		return body{}, errChanged
	}
	encoded, err := kjson.Marshal(items[i])
	return body{encoded, items[i]}, err
}

// decode reads JSON, or YAML as the API server converts it.
func decode(text []byte) (tree any, err error) {
	if kjson.Unmarshal(text, &tree) == nil {
		return tree, nil
	}
	encoded, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, err
	}
	err = kjson.Unmarshal(encoded, &tree)
	return tree, err
}

// formerLine is the line of the old text that stands at a line of the new one;
// of an inserted line, the one before it.
func formerLine(old, new []byte, line int) int {
	former, current := 0, 0
	hunks := textdiff.Lines(string(old), string(new), strings.Count(string(old), "\n")+1)
	if len(hunks) == 0 {
		return line
	}
	for _, edit := range hunks[0].Lines {
		if edit.Kind != textdiff.Insert {
			former++
		}
		if edit.Kind != textdiff.Delete {
			if current++; current == line {
				return max(former, 1)
			}
		}
	}
	return max(former, 1)
}
