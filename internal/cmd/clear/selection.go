package clear

import (
	"slices"
	"time"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldpattern"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Selection says which entries to clear. The zero Selection means all. Filters
// (managers, operation, subresource) hold together; of the criteria (stale,
// unserved, missing fields) one is enough.
type Selection struct {
	// Managers are names in which * stands for anything; none means every
	// manager.
	Managers []string
	// Operation is Apply, Update, or empty for both.
	Operation string
	// Subresource is nil for any; empty for the main resource.
	Subresource *string
	// OlderThan asks for the entries of managers that seem to be gone: last
	// written longer ago than this. 0 does not ask.
	OlderThan time.Duration
	// Unserved asks for entries at API versions that the server does not serve.
	Unserved bool
	// MissingFields asks for the paths that the object does not have, rather
	// than for whole entries.
	MissingFields bool
}

// Whole reports whether everything is meant.
func (s Selection) Whole() bool {
	return len(s.Managers) == 0 && s.Operation == "" && s.Subresource == nil && !s.criteria()
}

// criteria reports whether not every entry that passes the filters is meant.
func (s Selection) criteria() bool { return s.OlderThan > 0 || s.Unserved || s.MissingFields }

// meant reports whether an entry passes the filters. Entries that cannot be read
// pass too, if their manager does.
func (s Selection) meant(e managedfields.Entry) bool {
	ofManager := func(pattern string) bool { return fieldpattern.Glob(pattern, e.Manager) }
	return (len(s.Managers) == 0 || slices.ContainsFunc(s.Managers, ofManager)) &&
		(s.Operation == "" || s.Operation == e.Operation) &&
		(s.Subresource == nil || *s.Subresource == e.Subresource)
}

// Missing is a part of a selection that fits no entry of any object.
type Missing struct {
	// Attribute is that of an entry: manager or subresource.
	Attribute string
	// Value is what the selection says; the main resource's subresource is empty.
	Value string
	// Present are the values that there are, sorted.
	Present []string
}

// Missing gives what fits no entry of any object, managers first.
func (s Selection) Missing(objects []Clearing) []Missing {
	var managers, subresources []string
	for _, o := range objects {
		managers, subresources = append(managers, o.Managers...), append(subresources, o.Subresources...)
	}
	slices.Sort(managers)
	slices.Sort(subresources)
	managers, subresources = slices.Compact(managers), slices.Compact(subresources)
	var out []Missing
	for _, pattern := range s.Managers {
		if !slices.ContainsFunc(managers, func(name string) bool { return fieldpattern.Glob(pattern, name) }) {
			out = append(out, Missing{"manager", pattern, managers})
		}
	}
	if s.Subresource != nil && !slices.Contains(subresources, *s.Subresource) {
		out = append(out, Missing{"subresource", *s.Subresource, subresources})
	}
	return out
}

// choice is what a selection means for one object.
type choice struct {
	// clear are the entries to take away, prune those to shorten.
	clear, prune []managedfields.Entry
	spared       []Entry
}

// choose looks at each entry.
func (c *clearing) choose() {
	for _, e := range c.Owners().Entries {
		if !c.selection.meant(e) {
			continue
		}
		switch why, spare := c.verdict(e); {
		case !spare.IsZero():
			c.spared = append(c.spared, c.entry(e, spare))
		case why == prunes:
			c.prune = append(c.prune, e)
		case why == clears:
			c.clear = append(c.clear, e)
		}
	}
}

// action is what to do with an entry.
type action int

const (
	leaves action = iota
	clears
	prunes
)

// verdict says what to do with an entry that passes the filters; spare says
// why an entry of the asked kind is better left.
func (c *clearing) verdict(e managedfields.Entry) (do action, spare text.Text) {
	s := c.selection
	switch {
	case !s.criteria():
		return clears, text.Text{}
	case s.Unserved && e.Err == nil && !c.Served(e.APIVersion):
		return clears, text.Text{}
	case s.OlderThan > 0 && e.Time != nil && c.now.Sub(*e.Time) > s.OlderThan:
		// An entry without a time (those of the scale subresource) is never old.
		if why := c.alive(e); !why.IsZero() {
			return leaves, why
		}
		return clears, text.Text{}
	case s.MissingFields && c.hasMissing(e) && e.Set.Difference(c.missing(e)).Empty():
		return clears, text.Text{}
	case s.MissingFields && c.hasMissing(e):
		return prunes, text.Text{}
	}
	return leaves, text.Text{}
}

// alive says why an old entry may be of a manager that is not gone. Who is
// named by --manager or --operation is meant.
func (c *clearing) alive(e managedfields.Entry) text.Text {
	if len(c.selection.Managers) > 0 {
		return text.Text{}
	}
	if e.Operation == managedfields.Apply && c.selection.Operation == "" {
		return text.New(
			"its age proves nothing: the server keeps the time of an Apply entry while its manager applies the same again and again; name it with --manager if it is gone",
		)
	}
	who := writers.ManagerKindOf(report.WriterOf(e), "")
	if who.Certain && (who.Returns == writers.Always || who.Returns == writers.OnSync) {
		return text.New(
			"it is %v, and writes again by itself when there is something to write; name it with --manager if it is gone",
			text.Name(who.Name),
		)
	}
	return text.Text{}
}

// hasMissing reports whether an entry owns paths that the object does not have.
// Only entries at the object's own version can be compared with it.
func (c *clearing) hasMissing(e managedfields.Entry) bool {
	return e.Err == nil && e.APIVersion == c.Live["apiVersion"] && !c.missing(e).Empty()
}

// entry describes an entry.
func (c *clearing) entry(e managedfields.Entry, why text.Text) Entry {
	out := Entry{Writer: report.WriterOf(e), Index: e.Index, Fields: e.Set.Leaves().Size(), Why: why}
	if e.Err != nil {
		out.Why = text.New("it cannot be read: %v", text.Said(e.Err.Error()))
		return out
	}
	out.Who = page.ManagerKind(writers.ManagerKindOf(out.Writer, ""))
	return out
}
