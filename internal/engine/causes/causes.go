// Package causes reads what is wrong with what was asked for out of the API
// server's refusal, and finds it in the manifest.
//
// The server answers with a Status, which lists causes by field, or with a
// sentence, which may run several faults together:
//
//	Status -> its own list              status.go, those of field managers included
//	       -> faults in its message     message.go, by the phrases of phrases.go
//	  -> the place in the body          place.go
//	     what a field may mean          mistake.go
//	  -> values by what they are, where value.go
//	     the message names no field
//
// All of this depends on upstream's messages, which change between releases: an unknown
// message has no causes, and is shown as it is.
package causes

import (
	"cmp"
	"math"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Question is what was asked of the server: what its refusal is about.
type Question struct {
	Verb api.Verb
	Kind schema.GroupVersionKind
	// Body is the body as a JSON tree; nil where it cannot be decoded.
	Body any
	// Live is the live object; nil when there is none.
	Live map[string]any
	// Shape is that of the kind.
	Shape managedfields.Shape
	// Locator finds the lines of the body; nil when there are none.
	Locator report.Locator
	// taken are the places in the body that a cause is about already.
	taken map[string]bool
}

// Of lists the causes of a refusal by line of the manifest; nil where the server names no
// field. Sorting gives a fixed order: upstream goes through a schema in any order.
func Of(refusal *report.Status, asked Question) []report.Cause {
	q := &asked
	merged := q.Verb == api.Apply
	out := statusCauses(refusal)
	if out == nil {
		out = strictCauses(refusal.Message)
	}
	if out == nil {
		// Types are those of the applied configuration, before it is merged.
		out, merged = typeCauses(refusal.Message), false
		if q.runOn(out) {
			return nil
		}
	}
	// Which of many are located is no matter of chance either.
	slices.SortFunc(out, byField)
	for i := range out[:min(len(out), maxLocated)] {
		q.locate(&out[i], merged)
		out[i].Mistake = ofMerge(out[i].Message)
	}
	for _, read := range []func(string) []report.Cause{q.repeated, q.undecoded, q.mistyped, q.fromLive, q.precondition} {
		if out == nil {
			out = read(refusal.Message)
		}
	}
	// Causes without a line come late, and those of no field last.
	slices.SortFunc(out, func(a, b report.Cause) int { return cmp.Or(cmp.Compare(lineOf(a), lineOf(b)), byField(a, b)) })
	return out
}

// Located finds the lines of causes that have none, in the manifest of an apply. What
// finds none keeps none.
func Located(list []report.Cause, asked Question) []report.Cause {
	list = slices.Clone(list)
	for i := range list[:min(len(list), maxLocated)] {
		if list[i].Source == nil && list[i].Field != "" {
			asked.locate(&list[i], true)
		}
	}
	byLine := func(a, b report.Cause) int { return cmp.Or(cmp.Compare(lineOf(a), lineOf(b)), byField(a, b)) }
	slices.SortStableFunc(list, byLine)
	return list
}

func byField(a, b report.Cause) int {
	return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Message, b.Message))
}

func lineOf(c report.Cause) int {
	switch {
	case c.Source != nil:
		return c.Source.Line
	case c.Field != "":
		return math.MaxInt - 1
	}
	return math.MaxInt
}

func (q *Question) line(path fieldpath.Path) *report.Source { return report.Nearest(q.Locator, path) }
