// Package ignore leaves out differences that users do not want to see: fields that
// a controller keeps changing, for one.
//
// An ignored field is shown as if the write left it as it is in the live
// object. What the server would do is not touched by that: the resulting
// object, its ownership and its conflicts stay whole, as a conflict over an
// ignored field still stands in the way.
//
// Laws: with no path, every report and object stays as it is; an object that
// differs from the live one in ignored fields only is shown as the live one;
// neither input is ever changed.
package ignore

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields/fieldpattern"
	"github.com/ssactl/ssactl/internal/report"
)

// Filter is a list of ignored field paths. The zero value ignores nothing.
type Filter struct {
	texts []string
	paths []fieldpattern.Pattern
}

// Parse reads field paths. Each ignores the field and all below it. The error
// names the first path that is none.
func Parse(texts []string) (Filter, error) {
	var f Filter
	for _, text := range texts {
		p, err := fieldpattern.Parse(text)
		if err != nil {
			return Filter{}, err
		}
		f.texts, f.paths = append(f.texts, text), append(f.paths, p)
	}
	return f, nil
}

// Empty reports whether nothing is ignored.
func (f Filter) Empty() bool { return len(f.paths) == 0 }

// Keep gives object with the ignored fields as live has them. A created or
// deleted object, nil on one side, stays as it is.
func (f Filter) Keep(live, object map[string]any) map[string]any {
	if live == nil || object == nil {
		return object
	}
	out := value{object, true}
	for _, p := range f.paths {
		out = keep(value{live, true}, out, p)
	}
	kept, _ := out.v.(map[string]any)
	return kept
}

// Missed are those of the paths, given as texts, that no field of a result's objects
// matches. Of a result without an object nothing is known: it misses none.
func (f Filter) Missed(texts []string, r report.Result) []string {
	objects := []map[string]any{r.Live, r.Object}
	if r.Forced != nil {
		objects = append(objects, r.Forced.Object)
	}
	known := slices.ContainsFunc(objects, func(o map[string]any) bool { return o != nil })
	var out []string
	for _, text := range texts {
		i := slices.Index(f.texts, text)
		if known && i >= 0 &&
			!slices.ContainsFunc(objects, func(o map[string]any) bool { return len(f.paths[i].Find(o)) > 0 }) {
			out = append(out, text)
		}
	}
	return out
}

// generation is the field that counts the changes of others.
const generation = ".metadata.generation"

// Result drops the changes of ignored fields from a copy of a result. An object without
// other changes than its generation counts as unchanged. Conflicts and refusals stay.
func (f Filter) Result(r report.Result) report.Result {
	if f.Empty() {
		return r
	}
	if forced := r.Forced; forced != nil {
		kept := *forced
		kept.Changes = f.changes(r.Live, forced.Object, forced.Changes)
		r.Forced = &kept
	}
	changes := f.changes(r.Live, r.Object, r.Changes)
	ignored := len(r.Changes) - len(changes)
	if ignored > 0 && !slices.ContainsFunc(changes, func(c report.Change) bool { return c.Field != generation }) {
		changes = nil
	}
	r.Changes = changes
	if r.Outcome == report.Configured && !r.Deleted && ignored > 0 && len(changes) == 0 {
		r.Outcome = report.Unchanged
		r.Notices = append(append([]string(nil), r.Notices...),
			"it differs in ignored fields only: "+strings.Join(f.texts, ", "))
	}
	return r
}

// LeftOut counts the changes of a result that are not shown, but for the generation.
func LeftOut(given, shown report.Result) int {
	count := func(changes []report.Change) (n int) {
		for _, c := range changes {
			if c.Field != generation {
				n++
			}
		}
		return n
	}
	return count(given.Changes) - count(shown.Changes)
}

// changes keeps those that are still seen once the ignored fields are as live has them.
func (f Filter) changes(live, object map[string]any, changes []report.Change) []report.Change {
	if live == nil || object == nil {
		return changes
	}
	shown := f.Keep(live, object)
	var out []report.Change
	for _, c := range changes {
		p, err := fieldpattern.Parse(c.Field)
		if err != nil || text(p.Find(live)) != text(p.Find(shown)) {
			out = append(out, c)
		}
	}
	return out
}
