package resolve

import (
	"bytes"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/files/edit"
)

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

func (b body) json() []byte {
	text, err := kjson.Marshal(b.decoded)
	if err != nil {
		return nil
	}
	return text
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
func decode(text []byte) (any, error) {
	var tree any
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
