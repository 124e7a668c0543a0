package conflict

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-openapi/jsonpointer"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/suggest"
)

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
	for typed != "" {
		c, rest := typed[:1], typed[1:]
		switch {
		case c == `\` && rest != "":
			text, rest = text+rest[:1], rest[1:]
		case c == ".":
			flush()
		case c == "[":
			flush()
			c, rest, _ = cutOutsideQuotes(rest, ']')
			out = append(out, selector(c))
		default:
			text += c
		}
		typed = rest
	}
	flush()
	return out
}

// splitPointer reads a JSON pointer (RFC 6901). A number may be a place in a
// list, a word in any case.
func splitPointer(typed string) []word {
	var out []word
	for _, s := range strings.Split(typed[1:], "/") {
		s = jsonpointer.Unescape(s)
		out = append(out, word{text: s, selector: true, terms: []term{{text: s}}})
	}
	return out
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

// cutOutsideQuotes cuts at the first such character that is in no quotes, in which a
// backslash escapes.
func cutOutsideQuotes(s string, at byte) (before, after string, found bool) {
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0 && c == '\\':
			i++
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

// declared is the path of a field that the schema has, though the object does
// not: names of fields, and items of lists that are there.
func (n *Names) declared(words []word) (fieldpath.Path, bool) {
	if n.types.Schema == nil {
		return nil, false
	}
	ref, path := n.types.TypeRef, fieldpath.Path{}
	for _, w := range words {
		atom, ok := n.types.Schema.Resolve(ref)
		switch {
		case !ok:
			return nil, false
		case atom.Map != nil:
			f, found := atom.Map.FindField(w.text)
			if !found {
				return nil, false
			}
			path, ref = append(path, fieldpath.FieldNameElement(w.text)), f.Type
		case atom.List != nil:
			pe, found := n.itemOf(path, w)
			if !found {
				return nil, false
			}
			path, ref = append(path, pe), atom.List.ElementType
		default:
			return nil, false
		}
	}
	return path, true
}

// itemOf is the one known item below a list that a word selects.
func (n *Names) itemOf(list fieldpath.Path, w word) (fieldpath.PathElement, bool) {
	var found []fieldpath.PathElement
	for _, p := range n.paths {
		if len(p) == len(list)+1 && p[:len(list)].Equals(list) && n.selects(w, p, len(list)) {
			found = append(found, p[len(list)])
		}
	}
	if len(found) != 1 {
		return fieldpath.PathElement{}, false
	}
	return found[0], true
}

// shownNearest bounds how many fields are offered for a mistyped one, and
// longestTyped how long a text is compared with others.
const (
	shownNearest = 3
	longestTyped = 200
)

// nearest are the fields that look most like what was typed: as a whole, or
// as many last steps as were typed.
func (n *Names) nearest(typed string) []string {
	want, names := plain(typed)
	if len(typed) > longestTyped || want == "" {
		return nil
	}
	type candidate struct {
		field    string
		distance int
	}
	var near []candidate
	for _, field := range n.fields {
		whole, named := plain(field)
		d := min(apart(want, whole), 1+apart(names, named))
		if d <= max(2, len(want)/4) {
			near = append(near, candidate{field, d})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int {
		return cmp.Or(
			cmp.Compare(a.distance, b.distance),
			cmp.Compare(len(a.field), len(b.field)),
			cmp.Compare(a.field, b.field),
		)
	})
	var out []string
	for _, c := range near[:min(len(near), shownNearest)] {
		out = append(out, c.field)
	}
	return out
}

// apart is the distance of what was typed from a whole field, or from as many
// last steps of it.
func apart(want, have string) int {
	steps := strings.Split(have, ".")
	last := steps[max(0, len(steps)-strings.Count(want, ".")-1):]
	return min(suggest.Distance(want, have), suggest.Distance(want, strings.Join(last, ".")))
}

// plain is a field without what people type differently: of selectors it has only the
// values, or as names nothing.
func plain(field string) (whole, names string) {
	var all, named []string
	for _, w := range split(strings.ToLower(strings.Trim(field, "{}$./ "))) {
		if !w.selector {
			all, named = append(all, w.text), append(named, w.text)
			continue
		}
		values := ""
		for _, t := range w.terms {
			values += t.text
		}
		all = append(all, values)
	}
	join := func(parts []string) string { return strings.ReplaceAll(strings.Join(parts, "."), "/", ".") }
	return join(all), join(named)
}
