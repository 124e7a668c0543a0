package textdiff

import (
	"strings"
	"unicode"
)

// Words gives the edits that turn old into new, a piece for each run of the
// same kind. Texts with little in common are reported as one deletion and one
// insertion, as scattered equal letters tell a reader nothing.
func Words(old, new string) []Edit {
	edits := merge(script(cutWords(old), cutWords(new)))
	kept := 0
	for _, e := range edits {
		if e.Kind == Equal {
			kept += len(e.Text)
		}
	}
	if 3*kept < len(old) && 3*kept < len(new) {
		return merge([]Edit{{Delete, old}, {Insert, new}})
	}
	return edits
}

// cutWords cuts a text into runs of letters and digits, and single other
// characters. Joined, the pieces are the text, valid UTF-8 or not.
func cutWords(text string) []string {
	var words []string
	start, inWord := 0, false
	for i, r := range text {
		word := unicode.IsLetter(r) || unicode.IsDigit(r)
		if i > start && !(word && inWord) {
			words = append(words, text[start:i])
			start = i
		}
		inWord = word
	}
	if start < len(text) {
		words = append(words, text[start:])
	}
	return words
}

// merge joins neighbors of the same kind, and drops empty pieces.
func merge(edits []Edit) []Edit {
	var out []Edit
	for i := 0; i < len(edits); {
		var b strings.Builder
		j := i
		for ; j < len(edits) && edits[j].Kind == edits[i].Kind; j++ {
			b.WriteString(edits[j].Text)
		}
		if b.Len() > 0 {
			out = append(out, Edit{edits[i].Kind, b.String()})
		}
		i = j
	}
	return out
}
