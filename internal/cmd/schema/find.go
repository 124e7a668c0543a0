package schema

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/suggest"
)

// MissingError is that of a field that the kind does not have.
type MissingError struct {
	// Field is as it was typed; Parent is how much of it there is.
	Field, Parent string
	// Nearest are the fields that may be meant, the likeliest first.
	Nearest []string
}

// Error implements error.
func (e *MissingError) Error() string {
	where := "the object"
	if e.Parent != "" {
		where = e.Parent
	}
	text := fmt.Sprintf("no field %q: %s has no such field", e.Field, where)
	if len(e.Nearest) > 0 {
		text += "; did you mean " + strings.Join(e.Nearest, ", ") + "?"
	}
	return text
}

var inBrackets = regexp.MustCompile(`\[[^\]]*\]`)

// find follows a path as people type it: with or without a dot in front, with or
// without items of lists, and only the end of it where one field alone ends so.
func (w walker) find(root place, typed string) (place, error) {
	var names []string
	for _, name := range strings.Split(inBrackets.ReplaceAllString(typed, ""), ".") {
		if name != "" {
			names = append(names, name)
		}
	}
	at, rest := w.follow(root, names)
	if len(rest) == 0 {
		return at, nil
	}
	if len(rest) == len(names) {
		ends := w.ending(root, names)
		switch {
		case len(ends) == 1:
			return ends[0], nil
		case len(ends) > 1:
			return place{}, fmt.Errorf("%d fields end with %q: write more of the path, such as %s or %s", len(ends), typed, ends[0], ends[1])
		}
	}
	if len(rest) == len(names) {
		at, rest = w.mostOf(root, names)
	}
	return place{}, &MissingError{Field: typed, Parent: at.String(), Nearest: w.nearest(at, rest[0])}
}

// mostOf is the one field that ends with as many of the first names as one does, and
// the names that it does not have.
func (w walker) mostOf(root place, names []string) (place, []string) {
	for n := len(names) - 1; n > 0; n-- {
		if ends := w.ending(root, names[:n]); len(ends) == 1 {
			return ends[0], names[n:]
		}
	}
	return root, names
}

// follow goes along names as far as there are fields of them.
func (w walker) follow(at place, names []string) (place, []string) {
	for i, name := range names {
		child, ok := w.child(at, name)
		if !ok {
			return at, names[i:]
		}
		at = child
	}
	return at, nil
}

// child is a field by its name, in any case.
func (w walker) child(p place, name string) (place, bool) {
	children := w.children(p)
	i := slices.IndexFunc(children, func(c place) bool { return strings.EqualFold(c.path[len(c.path)-1], name) })
	if i < 0 {
		return place{}, false
	}
	return children[i], true
}

// ending are the fields whose paths end with names, those of the shortest path first,
// where there is one that is shorter than all others alone.
func (w walker) ending(root place, names []string) []place {
	var out []place
	for level := []place{root}; len(level) > 0 && len(out) == 0; {
		var next []place
		for _, p := range level {
			if at, rest := w.follow(p, names); len(rest) == 0 {
				out = append(out, at)
			}
			for _, child := range w.children(p) {
				if !child.recursive() && len(child.path) < maxDeep {
					next = append(next, child)
				}
			}
		}
		level = next
	}
	return out
}

// maxDeep bounds how deep an end is looked for.
const maxDeep = 24

// nearest are the fields that are most like one that is not there.
func (w walker) nearest(p place, name string) []string {
	var names []string
	paths := map[string]string{}
	for _, child := range w.children(p) {
		own := child.path[len(child.path)-1]
		names, paths[own] = append(names, own), child.String()
	}
	out := suggest.Nearest(name, names)
	for i, own := range out {
		out[i] = paths[own]
	}
	return out
}
