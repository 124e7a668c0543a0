package causes

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/report"
)

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
