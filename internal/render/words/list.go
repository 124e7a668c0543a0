package words

import (
	"fmt"
	"strings"
)

// mostNames is how many names a sentence has at most.
const mostNames = 50

// And lists names in a sentence: a; a and b; a, b and c. Of very many it has the first.
func And(names []string) string {
	if len(names) > mostNames {
		return fmt.Sprintf("%s and %d others", strings.Join(names[:mostNames], ", "), len(names)-mostNames)
	}
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Own lists who own something: a owns; a and b own.
func Own(names []string) string {
	return And(names) + " " + Owns(len(names))
}

// Owns is what so many do.
func Owns(n int) string {
	if n == 1 {
		return "owns"
	}
	return "own"
}

// Sentence begins with a capital.
func Sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
