package risk

import (
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// finder finds the risks of one result.
type finder struct {
	report.Result
	// autoscaler is the one that scales the object, and going the one that goes with the run; empty for
	// none. fromZero: it scales an object of 0 replicas.
	autoscaler, going string
	fromZero          bool
	// owned is who owns which field after the write, once that is asked for.
	owned []report.FieldOwners
	// changed are the indexes of changes by field, the first of each, once that is asked for.
	changed map[string]int
	// former gives what takeover does, once that is asked for.
	former func() (report.Writer, bool)
}

// ownership is the result's; where its detail leaves it out, the object says it.
func (f *finder) ownership() []report.FieldOwners {
	if f.owned == nil {
		f.owned = f.Ownership
	}
	if f.owned == nil {
		f.owned = report.OwnersOf(managedfields.Of(f.Object))
	}
	return f.owned
}

// risk starts one at the least severity of its rule.
func (f *finder) risk(rule, field, manager string, message text.Text) report.Finding {
	found := rules.Of(rule).On(f.Target, f.sourceOf(field), message)
	found.Field, found.Manager = field, manager
	return found
}

// sourceOf is the line of the manifest that asks for a changed field; without one, that of
// the object.
func (f *finder) sourceOf(field string) report.Source {
	if c, _ := f.change(field); c.Source != nil {
		return *c.Source
	}
	return f.Source
}

// changedIn is the first changed field at a field or in it, one that is there afterwards first; the field
// itself where none is.
func (f *finder) changedIn(field string) string {
	at := field
	for _, c := range f.Changes {
		switch {
		case !managedfields.Within(c.Field, field):
		case c.Kind != report.Removed:
			return c.Field
		case at == field:
			at = c.Field
		}
	}
	return at
}

// change is that of a field.
func (f *finder) change(field string) (report.Change, bool) {
	if f.changed == nil {
		f.changed = make(map[string]int, len(f.Changes))
		for i, c := range slices.Backward(f.Changes) {
			f.changed[c.Field] = i
		}
	}
	i, ok := f.changed[field]
	if !ok {
		return report.Change{}, false
	}
	return f.Changes[i], true
}
