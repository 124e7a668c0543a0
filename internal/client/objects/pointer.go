package objects

import (
	"slices"
	"strconv"

	"github.com/go-openapi/jsonpointer"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
)

// Pointer is a JSON pointer (RFC 6901), as its unescaped names. The empty pointer, which is also
// what no pointer is read as, leads nowhere here.
type Pointer []string

// ParsePointer reads a pointer; nil for what is none.
func ParsePointer(text string) Pointer {
	p, err := jsonpointer.New(text)
	if err != nil {
		return nil
	}
	return p.DecodedTokens()
}

// Pointers are several.
func Pointers(texts []string) []Pointer {
	var out []Pointer
	for _, t := range texts {
		out = append(out, ParsePointer(t))
	}
	return out
}

// Located are the places in an object of what a field path means.
func Located(path fieldpath.Path, object any) []Pointer {
	return Pointers(fieldtree.Pointers(managedfields.Shape{}, object, path))
}

// String is the pointer as it is written.
func (p Pointer) String() string {
	text := ""
	for _, name := range p {
		text += "/" + jsonpointer.Escape(name)
	}
	return text
}

// Get is the value at the pointer; false where there is none.
func (p Pointer) Get(value any) (any, bool) {
	if len(p) == 0 {
		return nil, false
	}
	at, err := jsonpointer.New(p.String())
	if err != nil {
		return nil, false
	}
	found, _, err := at.Get(value)
	return found, err == nil
}

// parent is what has the value at the pointer, and its name in that.
func (p Pointer) parent(value any) (parent any, name string) {
	last := len(p) - 1
	if last <= 0 {
		return value, p[last]
	}
	parent, _ = p[:last].Get(value)
	return parent, p[last]
}

// Remove removes what is at the pointer, in place.
func (p Pointer) Remove(object map[string]any) {
	if len(p) == 0 {
		return
	}
	parent, name := p.parent(object)
	switch v := parent.(type) {
	case map[string]any:
		delete(v, name)
	case []any:
		if i, is := place(v, name); is {
			p[:len(p)-1].Set(object, slices.Delete(slices.Clone(v), i, i+1))
		}
	}
}

// Set sets what is at the pointer, in place. Where the pointer leads nowhere, nothing changes.
func (p Pointer) Set(object map[string]any, to any) {
	if len(p) == 0 {
		return
	}
	parent, name := p.parent(object)
	switch v := parent.(type) {
	case map[string]any:
		v[name] = to
	case []any:
		if i, is := place(v, name); is {
			v[i] = to
		}
	}
}

// place is the place of an item of a list; false where there is no such item.
func place(list []any, name string) (int, bool) {
	i, err := strconv.Atoi(name)
	return i, err == nil && i >= 0 && i < len(list)
}
