package causes

import (
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// intoQuoted goes on from a list of the manifest whose items have other positions after the
// merge: into the one item that has, at the rest of the path, the value that the message
// quotes. Of none and of several it stays at the list.
func (w *asked) intoQuoted(message string) {
	list, ok := w.body.([]any)
	inner, rest, cut := strings.Cut(strings.TrimPrefix(w.rest, "["), "]")
	value, quotes := quotedIn(message)
	if !w.merged || !ok || !cut || !quotes || !isNumber(inner) {
		return
	}
	at := -1
	for i, item := range list[:min(len(list), maxIndexed)] {
		below := asked{rest: rest, body: item, bodies: []any{item}, shapes: []managedfields.Shape{w.shape().Item()}}
		for below.step() {
		}
		if text, ok := below.body.(string); !ok || below.rest != "" || text != value {
			continue
		}
		if at >= 0 {
			return
		}
		at = i
	}
	if at < 0 {
		return
	}
	w.to(fieldpath.PathElement{Index: &at}, list[at], nil, rest)
	for w.step() {
	}
}

// quotedIn is the text that a message quotes as the value that is wrong.
func quotedIn(message string) (string, bool) {
	for _, kind := range []string{invalidValue, duplicateValue} {
		rest, is := strings.CutPrefix(message, kind+": ")
		if literal, err := strconv.QuotedPrefix(rest); is && err == nil {
			text, err := strconv.Unquote(literal)
			return text, err == nil
		}
	}
	return "", false
}
