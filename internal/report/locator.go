package report

import "sigs.k8s.io/structured-merge-diff/v6/fieldpath"

// Locator finds the fields of a body in the file that it came from.
type Locator interface {
	// Line is where a field stands, the items of lists named by their positions. It
	// is false for what the file does not have, a parent of the path included.
	Line(path fieldpath.Path) (Source, bool)
	// Text is the place of a line of the body, counted from 1.
	Text(line int) Source
}

// Nearest is the line that asks for a path, or for the nearest parent that has
// one; nil without, and without a locator.
func Nearest(l Locator, path fieldpath.Path) *Source {
	if l == nil {
		return nil
	}
	for ; len(path) > 0; path = path[:len(path)-1] {
		if s, ok := l.Line(path); ok {
			return &s
		}
	}
	return nil
}
