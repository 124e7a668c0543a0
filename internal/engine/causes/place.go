package causes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Bounds of what is located: so many causes of a refusal, and items of lists so
// far from the first.
const (
	maxLocated = 200
	maxIndexed = 1000
	// maxWalks are the items with the same keys that a text is looked for in.
	maxWalks = 50
)

// locate finds the line that asks for the field of a cause, or for its nearest parent, and
// what an unknown field may mean. Merged: positions in lists are those after the merge.
func (q *Question) locate(c *report.Cause, merged bool) {
	if q.Verb != api.Apply && q.Verb != api.Create && q.Verb != api.Update {
		return
	}
	w := q.untaken(*c, q.walks(c.Field, merged))
	if rest, ok := strings.CutPrefix(c.Field, "data"); ok && w.rest != "" && q.Kind.GroupKind() == secretKind {
		// The server puts what stringData has into data.
		if given := q.walk("stringData"+rest, merged); given.rest == "" {
			w = given
		}
	}
	w.intoQuoted(c.Message)
	c.Nearest = w.meant(*c)
	w.given(c)
	w.element(c.Message)
	w.quoted(c.Message)
	if len(w.path) > 0 {
		c.Source = q.line(w.path)
	}
}

var secretKind = schema.GroupKind{Kind: "Secret"}

func (q *Question) walk(field string, merged bool) asked { return q.walks(field, merged)[0] }

// walks are the ends of all walks, in the order of the body: several items of a list may have
// the keys that a text has, where just that is wrong with them.
func (q *Question) walks(field string, merged bool) []asked {
	w := asked{rest: field, body: q.Body, bodies: []any{q.Body}, shapes: []managedfields.Shape{q.Shape}, merged: merged}
	if q.Live != nil {
		w.live = q.Live
	}
	var out []asked
	for again := []asked{w}; len(again) > 0 && len(out) < maxWalks; {
		w, again = again[0], again[1:]
		for w.step() {
			again, w.others = append(w.others, again...), nil
		}
		out = append(out, w)
	}
	return out
}

// untaken is the walk that a cause is of: of those that come to its field, the first with
// the value that it quotes that no cause before has taken.
func (q *Question) untaken(c report.Cause, walks []asked) asked {
	if len(walks) == 1 {
		return walks[0]
	}
	if q.taken == nil {
		q.taken = map[string]bool{}
	}
	_, got, quotes := strings.Cut(c.Message, gotValue+"&")
	best := -1
	for i, w := range walks {
		fits := !quotes || strings.Contains(got, fmt.Sprintf("{Value:%v}", w.body))
		if free := w.rest == "" && !q.taken[w.path.String()]; free && (best < 0 || fits) {
			if best = i; fits {
				break
			}
		}
	}
	if best < 0 {
		return walks[0]
	}
	q.taken[walks[best].path.String()] = true
	return walks[best]
}

// asked walks along the text of a field path in a body, as far as the body goes.
// Such texts are ambiguous: what the body has decides.
type asked struct {
	rest string
	body any
	// merged: places in lists are those of the body merged into live, which is
	// nil where the live object has nothing at the path.
	merged bool
	live   any
	path   fieldpath.Path
	// shapes and bodies are those of the body, and of what each element of path leads to.
	shapes []managedfields.Shape
	bodies []any
	// others are walks into other items with the keys of the one that was stepped into.
	others []asked
}

// shape is that of the current value.
func (w *asked) shape() managedfields.Shape { return w.shapes[len(w.shapes)-1] }

// step goes on to the next field or item; false at the end of the text, and where
// the body has no more of it.
func (w *asked) step() bool {
	switch body := w.body.(type) {
	case map[string]any:
		name, rest, ok := firstField(w.rest, body)
		if !ok {
			return false
		}
		live, _ := w.live.(map[string]any)
		w.to(fieldpath.PathElement{FieldName: &name}, body[name], live[name], rest)
		return true
	case []any:
		i, rest, ok := w.firstItem(body)
		if !ok || w.merged && !w.sameUntil(body, i) {
			return false
		}
		var item any
		if live, _ := w.live.([]any); i < len(live) {
			item = live[i]
		}
		w.others = w.twins(body, i, rest)
		w.to(fieldpath.PathElement{Index: &i}, body[i], item, rest)
		return true
	}
	return false
}

func (w *asked) to(element fieldpath.PathElement, body, live any, rest string) {
	w.path, w.shapes, w.bodies = append(
		w.path,
		element,
	), append(
		w.shapes,
		w.shape().Child(element),
	), append(
		w.bodies,
		body,
	)
	w.body, w.live, w.rest = body, live, rest
}

// twins are walks into the items behind one that have its keys, by which the text names it.
func (w *asked) twins(body []any, place int, rest string) (out []asked) {
	first, ok := w.shape().Element(body[place])
	if inner, _, _ := strings.Cut(strings.TrimPrefix(w.rest, "["), "]"); !ok || w.merged || isNumber(inner) {
		return nil
	}
	for i := place + 1; i < min(len(body), maxIndexed) && len(out) < maxWalks; i++ {
		if element, ok := w.shape().Element(body[i]); ok && element.Equals(first) {
			twin := *w
			twin.path, twin.shapes, twin.bodies = slices.Clone(w.path), slices.Clone(w.shapes), slices.Clone(w.bodies)
			twin.to(fieldpath.PathElement{Index: &i}, body[i], nil, rest)
			out = append(out, twin)
		}
	}
	return out
}

func isNumber(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}

// sameUntil reports whether an item has the same position in the body and in the merged
// list: without a live list, in an atomic one, or if both lists begin with the same items.
func (w *asked) sameUntil(body []any, place int) bool {
	live, _ := w.live.([]any)
	if !w.shape().Associative() {
		return true
	}
	for i := range body[:place+1] {
		if i == len(live) {
			return true
		}
		a, ok := w.shape().Element(body[i])
		b, same := w.shape().Element(live[i])
		if !ok || !same || !a.Equals(b) {
			return false
		}
	}
	return true
}

// firstField takes the longest key of a map from the front of a path: a name, or text in
// brackets. Keys may contain dots.
func firstField(text string, object map[string]any) (key, rest string, ok bool) {
	for name := range object {
		after, has := cutKey(text, name)
		if has && (!ok || len(name) > len(key)) {
			key, rest, ok = name, after, true
		}
	}
	return key, rest, ok
}

func cutKey(text, key string) (rest string, ok bool) {
	if inner, bracket := strings.CutPrefix(text, "["); bracket {
		rest, ok = strings.CutPrefix(inner, key)
		if !ok {
			return "", false
		}
		return strings.CutPrefix(rest, "]")
	}
	rest, ok = strings.CutPrefix(strings.TrimPrefix(text, "."), key)
	return rest, ok && key != "" && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// firstItem takes an item of a list from the front of a path: by its place, or by
// its keys or its value, as the merge writes them.
func (w *asked) firstItem(list []any) (place int, rest string, ok bool) {
	inner, ok := strings.CutPrefix(w.rest, "[")
	if !ok {
		return 0, "", false
	}
	number, rest, ok := strings.Cut(inner, "]")
	if place, err := strconv.Atoi(number); ok && err == nil {
		return place, rest, place >= 0 && place < min(len(list), maxIndexed)
	}
	place = w.itemOf(list, func(element string) bool { return strings.HasPrefix(w.rest, element) })
	if place < 0 {
		return 0, "", false
	}
	element, _ := w.shape().Element(list[place])
	return place, strings.TrimPrefix(w.rest, element.String()), true
}

// itemOf is the position of the first item with a path element that is meant, as the merge
// writes it; -1 without one. A key may have a default.
func (w *asked) itemOf(list []any, meant func(element string) bool) int {
	return slices.IndexFunc(list[:min(len(list), maxIndexed)], func(item any) bool {
		element, ok := w.shape().Element(item)
		return ok && meant(element.String())
	})
}

// given returns a value of another type as in the body: upstream prints its own
// structure around it, as in &value.valueUnstructured{Value:1}.
func (w *asked) given(c *report.Cause) {
	expected, got, ok := strings.Cut(c.Message, gotValue+"&")
	if !ok || got == "" || w.rest != "" || !strings.HasPrefix(expected, expectedType) {
		return
	}
	c.Message = expected + gotValue + typed(w.body)
}

// typed is a value with its JSON type; of a map or a list, the type alone.
func typed(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return "map"
	case []any:
		return "list"
	case nil:
		return "null"
	case bool:
		return "boolean " + strconv.FormatBool(v)
	case string:
		text, _ := json.Marshal(v)
		return "string " + string(text)
	default:
		return "number " + fmt.Sprint(v)
	}
}

// element goes on to the item of a list that a message is about: the one at a
// place, or the second that has the keys of another.
//
//	element 1: associative list with keys has an element that omits all key fields
//	duplicate entries for key [name="web"]
func (w *asked) element(message string) {
	list, ok := w.body.([]any)
	if !ok || w.rest != "" || w.merged {
		return
	}
	if text, ok := strings.CutPrefix(message, ofElement); ok {
		number, _, _ := strings.Cut(text, ":")
		if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(list) {
			w.to(fieldpath.PathElement{Index: &i}, list[i], nil, "")
		}
		return
	}
	key, ok := strings.CutPrefix(message, repeatedItem)
	if !ok {
		return
	}
	have := func(element string) bool { return element == key }
	first := w.itemOf(list, have)
	if i := first + 1 + w.itemOf(list[first+1:], have); i > first {
		w.to(fieldpath.PathElement{Index: &i}, list[i], nil, "")
	}
}

// quoted goes on to the key that a message about a map quotes, or to the key of the value
// that it quotes. The server names only the map of labels and the like.
func (w *asked) quoted(message string) {
	object, ok := w.body.(map[string]any)
	text, invalid := strings.CutPrefix(message, invalidValue+": ")
	literal, err := strconv.QuotedPrefix(text)
	if !ok || !w.shape().Open() || !invalid || w.rest != "" || err != nil {
		return
	}
	value, _ := strconv.Unquote(literal)
	if _, has := object[value]; has {
		w.to(fieldpath.PathElement{FieldName: &value}, nil, nil, "")
		return
	}
	var keys []string
	for key, v := range object {
		if v == value {
			keys = append(keys, key)
		}
	}
	if len(keys) == 1 {
		w.to(fieldpath.PathElement{FieldName: &keys[0]}, nil, nil, "")
	}
}
