package conflict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// Names are the fields of one live object that can be asked for: those that it
// has, and those that are owned though it does not have them.
type Names struct {
	types typed.ParseableType
	shape managedfields.Shape
	live  map[string]any
	paths []fieldpath.Path
	// fields are the paths as the server writes them.
	fields []string
}

// NewNames collects the fields of an object: of the live object in walking
// order, then what is only owned.
func NewNames(types typed.ParseableType, live map[string]any) *Names {
	n := &Names{types: types, shape: managedfields.ShapeOf(types), live: live}
	paths := n.shape.Paths(live)
	for _, owned := range managedfields.Of(live).Paths() {
		paths = append(paths, owned.Path)
	}
	n.add(paths)
	return n
}

// NamesAmong are the names of the given fields of an object, and of the maps,
// lists and items that they are in: other fields are not found, so that fewer
// steps tell them apart.
func NamesAmong(types typed.ParseableType, object map[string]any, paths []fieldpath.Path) *Names {
	n := &Names{types: types, shape: managedfields.ShapeOf(types), live: object}
	var all []fieldpath.Path
	for _, p := range paths {
		for end := range p {
			all = append(all, p[:end+1])
		}
	}
	n.add(all)
	return n
}

// add adds paths, each once.
func (n *Names) add(paths []fieldpath.Path) {
	seen := map[string]bool{}
	for _, p := range paths {
		if field := p.String(); !seen[field] {
			seen[field] = true
			n.paths, n.fields = append(n.paths, p.Copy()), append(n.fields, field)
		}
	}
}

// Fields are all names as the server writes them. The slice must not be
// changed.
func (n *Names) Fields() []string { return n.fields }

// Found is a field that was asked for.
type Found struct {
	Path fieldpath.Path
	// Inside is true where something in an atomic map or list was asked for,
	// and Path is that map or list: what is in it has no owner of its own.
	Inside bool
}

// NameError says that a field cannot be found, or that several fit.
type NameError struct {
	Typed string
	// Fits are the fields that fit where there are several, Nearest those that
	// look alike where there is none; both at most a few, best first.
	Fits, Nearest []string
}

// Error names the candidates.
func (e *NameError) Error() string {
	switch {
	case len(e.Fits) > 0:
		return fmt.Sprintf("field %q may be any of %s", e.Typed, strings.Join(e.Fits, ", "))
	case len(e.Nearest) > 0:
		return fmt.Sprintf("the object has no field %q; did you mean %s?", e.Typed, strings.Join(e.Nearest, " or "))
	}
	return fmt.Sprintf("the object has no field %q", e.Typed)
}

// Find gives the path of a field as people type it, in this order:
//
//	as the server writes it    .spec.template.spec.containers[name="main"].image
//	from the root, friendly    spec.replicas, spec.ports[0], /spec/replicas, {.spec.replicas}
//	a suffix that one has      containers[main].image
//	the same, items left out   containers.image
//
// A path that the object lacks is found if the schema has it; what is inside an
// atomic map or list is found as the whole. The error is a *NameError.
func (n *Names) Find(text string) (Found, error) {
	text = strings.TrimSpace(text)
	if i := slices.Index(n.fields, text); i >= 0 {
		return Found{Path: n.paths[i]}, nil
	}
	words := split(text)
	if len(words) == 0 {
		return Found{}, &NameError{Typed: text}
	}
	for _, how := range []fit{fromRoot, suffix, loose} {
		switch found := n.fitting(words, how); {
		case len(found) == 1:
			return Found{Path: n.paths[found[0]]}, nil
		case len(found) > 1:
			return Found{}, &NameError{Typed: text, Fits: n.names(found)}
		}
		if path, ok := n.declared(words); ok && how == fromRoot {
			return Found{Path: path}, nil
		}
	}
	if path, ok := n.around(words); ok {
		return Found{Path: path, Inside: true}, nil
	}
	return Found{}, &NameError{Typed: text, Nearest: n.nearest(text)}
}

// around finds the atomic map or list that a typed field is inside of.
func (n *Names) around(words []word) (fieldpath.Path, bool) {
	for k := len(words) - 1; k > 0; k-- {
		for _, how := range []fit{fromRoot, suffix} {
			found := n.fitting(words[:k], how)
			if len(found) != 1 {
				continue
			}
			path := n.paths[found[0]]
			values := n.shape.Lookup(n.live, path)
			if len(values) != 1 {
				return nil, false
			}
			kind := natureOf(n.shape, path, values[0]).Kind
			return path, kind == AtomicMap || kind == AtomicList
		}
	}
	return nil, false
}

// fit is how words have to fit a path.
type fit int

const (
	// fromRoot: all of the path.
	fromRoot fit = iota
	// suffix: its end.
	suffix
	// loose: its end, list items without a word for them.
	loose
)

func (n *Names) fitting(words []word, how fit) []int {
	var out []int
	for i, p := range n.paths {
		for start := range p {
			if n.match(words, p, start, how) {
				out = append(out, i)
				break
			}
			if how == fromRoot {
				break
			}
		}
	}
	return out
}

// match compares words with a path from a position to its end. Several words
// may make one element: labels.app.kubernetes.io/name.
func (n *Names) match(words []word, path fieldpath.Path, at int, how fit) bool {
	if at == len(path) {
		return len(words) == 0
	}
	pe := path[at]
	if pe.FieldName == nil {
		if how == loose && n.match(words, path, at+1, how) {
			return true
		}
		return len(words) > 0 && n.selects(words[0], path, at) && n.match(words[1:], path, at+1, how)
	}
	name := ""
	for k := 0; k < len(words) && !words[k].selector; k++ {
		name += words[k].text
		if name == *pe.FieldName && n.match(words[k+1:], path, at+1, how) {
			return true
		}
		name += "."
		if !strings.HasPrefix(*pe.FieldName, name) {
			break
		}
	}
	return len(words) > 0 && words[0].selector && words[0].text == *pe.FieldName && n.match(words[1:], path, at+1, how)
}

// selects reports whether a word means the list item at a position: by values of
// its keys, by the value of a set, or by its place in the live list.
func (n *Names) selects(w word, path fieldpath.Path, at int) bool {
	terms := w.terms
	if !w.selector {
		terms = []term{{text: w.text}}
	}
	for _, t := range terms {
		if !meets(path[at], t) {
			i, err := strconv.Atoi(t.text)
			return err == nil && len(terms) == 1 && t.key == "" && slices.Contains(n.positions(path, at), i)
		}
	}
	return len(terms) > 0
}

func meets(pe fieldpath.PathElement, t term) bool {
	if pe.Value != nil {
		return fmt.Sprint((*pe.Value).Unstructured()) == t.text
	}
	if pe.Key == nil {
		return false
	}
	for _, f := range *pe.Key {
		if (t.key == "" || t.key == f.Name) && fmt.Sprint(f.Value.Unstructured()) == t.text {
			return true
		}
	}
	return false
}

// positions are the places of an item in the live list.
func (n *Names) positions(path fieldpath.Path, at int) []int {
	if path[at].Index != nil {
		return []int{*path[at].Index}
	}
	lists := n.shape.Lookup(n.live, path[:at])
	if len(lists) != 1 {
		return nil
	}
	list, _ := lists[0].([]any)
	shape := n.shape
	for _, pe := range path[:at] {
		shape = shape.Child(pe)
	}
	return shape.Places(list, path[at])
}

// shownNames bounds how many fields an error names.
const shownNames = 5

func (n *Names) names(found []int) []string {
	var out []string
	for _, i := range found {
		if len(out) == shownNames {
			return append(out, fmt.Sprintf("%d more", len(found)-i))
		}
		out = append(out, n.fields[i])
	}
	return out
}
