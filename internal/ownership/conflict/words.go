package conflict

import "strings"

// word is one step of a field as it was typed.
type word struct {
	// text is empty for a selector with keys.
	text string
	// selector is set for what stood in brackets, or in a JSON pointer.
	selector bool
	terms    []term
}

// term is one key=text of a selector; key is empty where only text stood.
type term struct{ key, text string }

// split cuts a typed field into words. JSON pointers begin with a slash;
// everything else is read as dots and brackets, with JSONPath's $ and {} around
// it or not, quotes in brackets, and dots escaped by a backslash.
//
//	spec.containers[main].image           spec containers [main] image
//	{.spec.ports[?(@.port==80)]}          spec ports [port=80]
//	/metadata/annotations/a.b~1c          metadata annotations a.b/c
func split(typed string) []word {
	if strings.HasPrefix(typed, "/") {
		return splitPointer(typed)
	}
	typed = strings.TrimSuffix(strings.TrimPrefix(typed, "{"), "}")
	typed = strings.TrimPrefix(typed, "$")
	var out []word
	text := ""
	flush := func() {
		if text != "" {
			out = append(out, word{text: text})
		}
		text = ""
	}
	for i := 0; i < len(typed); i++ {
		switch c := typed[i]; {
		case c == '\\' && i+1 < len(typed):
			i++
			text += typed[i : i+1]
		case c == '.':
			flush()
		case c == '[':
			flush()
			end := closing(typed, i)
			out = append(out, selector(typed[i+1:end]))
			i = end
		default:
			text += typed[i : i+1]
		}
	}
	flush()
	return out
}

// splitPointer reads a JSON pointer (RFC 6901). A number may be a place in a
// list, a word in any case.
func splitPointer(typed string) []word {
	var out []word
	for _, s := range strings.Split(typed[1:], "/") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
		out = append(out, word{text: s, selector: true, terms: []term{{text: s}}})
	}
	return out
}

// closing is the position of the bracket that closes the one at start, quotes
// looked over; the end of the text where there is none.
func closing(s string, start int) int {
	quote := byte(0)
	for i := start + 1; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ']':
			return i
		}
	}
	return len(s)
}

// selector reads the inside of brackets: main, 0, "main", name=main,
// port=80,protocol=TCP, ="value" of a set, ?(@.name=="main").
func selector(s string) word {
	s = strings.TrimSpace(s)
	if inner, ok := strings.CutPrefix(s, "?("); ok {
		s = strings.TrimSuffix(inner, ")")
	}
	w := word{selector: true}
	for more := true; more; {
		var one string
		one, s, more = cutOutsideQuotes(s, ',')
		key, text, keyed := cutOutsideQuotes(one, '=')
		if !keyed {
			key, text = "", one
		}
		key = strings.TrimPrefix(strings.TrimSpace(key), "@.")
		w.terms = append(w.terms, term{key, unquote(strings.TrimPrefix(text, "="))})
	}
	if len(w.terms) == 1 && w.terms[0].key == "" {
		w.text = w.terms[0].text
	}
	return w
}

func cutOutsideQuotes(s string, at byte) (before, after string, found bool) {
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == at:
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
