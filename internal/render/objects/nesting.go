package objects

import "strings"

// step is how much deeper a field is than what it is in, and as wide as a dash.
const step = 2

// nesting are the lines that a line is in, by their indentation, and that line.
type nesting []nested

type nested struct {
	line string
	// start and key are the columns of yamlColumns.
	start, key int
}

// enter goes on to the last of the lines that come next. Empty lines of a text are in
// nothing.
func (n *nesting) enter(lines []string) {
	for _, line := range lines {
		if line == "\n" {
			continue
		}
		start, key := yamlColumns(line)
		for len(*n) > 0 && (*n)[len(*n)-1].start >= start {
			*n = (*n)[:len(*n)-1]
		}
		*n = append(*n, nested{line, start, key})
	}
}

// keys are those that the last line is in, outermost first.
func (n nesting) keys() []string {
	var out []string
	for i := range len(n) - 1 {
		if n[i].key >= n[i+1].start {
			continue
		}
		if key, ok := keyOf(n[i].line[n[i].key:]); ok {
			out = append(out, key)
		}
	}
	return out
}

// keyOf is the key that a field begins with, as it is written.
func keyOf(line string) (string, bool) {
	quote := ""
	if strings.HasPrefix(line, "'") || strings.HasPrefix(line, `"`) {
		quote = line[:1]
	}
	for _, end := range [...]string{quote + ": ", quote + ":\n"} {
		if key, _, ok := strings.Cut(line, end); ok {
			return key + quote, true
		}
	}
	return "", false
}

// yamlColumns gives the column of a line and that of its key. A dash counts as
// half an indentation, as the item is inside the key above it, and the line of
// dashes may hold the item's first key.
func yamlColumns(line string) (start, key int) {
	start = len(line) - len(strings.TrimLeft(line, " "))
	for key = start; strings.HasPrefix(line[key:], "- "); key += step {
	}
	return start + min(1, key-start), key
}
