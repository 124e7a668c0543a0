package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/ownership"
)

// cause is one conflict as the Status tells it.
type cause struct {
	field string
	ownership.Writer
	time *time.Time
}

// conflicts gives every conflict of the answer, with values and source.
//
// The Status names the owner and writes the path as text, in the owner's API
// version. Its values are found through the owner's managed fields entry:
// that has the path itself, where the text may be ambiguous.
func (s *simulation) conflicts(a answer) []Conflict {
	out := []Conflict{}
	if a.outcome != Conflicted {
		return out
	}
	for _, c := range conflictCauses(a.status) {
		out = append(out, s.conflict(c))
	}
	slices.SortStableFunc(out, func(a, b Conflict) int {
		return cmp.Or(
			cmp.Compare(a.Field, b.Field),
			cmp.Compare(a.Manager, b.Manager),
			cmp.Compare(a.Operation, b.Operation),
			cmp.Compare(a.Subresource, b.Subresource),
			cmp.Compare(a.APIVersion, b.APIVersion),
		)
	})
	return out
}

func (s *simulation) conflict(c cause) Conflict {
	writer, path := s.holder(c)
	out := Conflict{Field: c.field, Writer: writer, LiveMissing: true, AppliedMissing: true}
	if path == nil {
		path = s.pathOf(c.field)
	}
	if path == nil {
		return out
	}
	if v, ok := one(s.lookupLive(path, writer.APIVersion)); ok {
		out.Live, out.LiveMissing = v, false
	}
	if v, ok := s.intent.asks(path); ok {
		out.Applied, out.AppliedMissing = v, false
	}
	out.Source = s.write.line(path)
	return out
}

// holder finds the managed fields entry that a cause speaks of, and the path
// in it. An owner without entry is told as the cause tells it: that is
// before-first-apply, which the server makes up.
func (s *simulation) holder(c cause) (Writer, fieldpath.Path) {
	for _, e := range s.before.Entries {
		if e.Err != nil || e.Role != c.Role || c.Operation == ownership.Update && e.APIVersion != c.APIVersion {
			continue
		}
		return writerOf(e), pathIn(e.Set, c.field)
	}
	w := Writer{Manager: c.Manager, Operation: c.Operation, Subresource: c.Subresource, APIVersion: c.APIVersion, Time: c.time}
	return w, nil
}

// pathOf finds the path of a field that no entry has, in the body, then in
// the live object; nil when neither has it.
func (s *simulation) pathOf(field string) fieldpath.Path {
	for _, object := range []any{s.write.Decoded, s.live} {
		m, ok := object.(map[string]any)
		if !ok {
			continue
		}
		for _, p := range s.shape.Paths(m) {
			if p.String() == field {
				return p
			}
		}
	}
	return nil
}

// lookupLive finds live values by a path in the terms of an API version: in
// the object as given where that is its version, else as converted.
func (s *simulation) lookupLive(path fieldpath.Path, apiVersion string) []any {
	given := s.write.LiveObject
	if given["apiVersion"] == apiVersion {
		if found := s.shape.Lookup(given, path); len(found) > 0 {
			return found
		}
	}
	return s.shape.Lookup(s.live, path)
}

// one is the value of a field: that of the only match, or the list of them
// where an item is repeated.
func one(found []any) (any, bool) {
	switch len(found) {
	case 0:
		return nil, false
	case 1:
		return found[0], true
	default:
		return found, true
	}
}

func pathIn(set *fieldpath.Set, field string) fieldpath.Path {
	var out fieldpath.Path
	set.Iterate(func(p fieldpath.Path) {
		if out == nil && p.String() == field {
			out = p.Copy()
		}
	})
	return out
}

func writerOf(e ownership.Entry) Writer {
	return Writer{Manager: e.Manager, Operation: e.Operation, Subresource: e.Subresource, APIVersion: e.APIVersion, Time: e.Time}
}

// conflictCauses reads the causes that are conflicts of field managers, in
// the order of the Status.
func conflictCauses(st *Status) []cause {
	details, _ := st.Raw["details"].(map[string]any)
	list, _ := details["causes"].([]any)
	var out []cause
	for _, v := range list {
		m, _ := v.(map[string]any)
		if m["reason"] != string(metav1.CauseTypeFieldManagerConflict) {
			continue
		}
		message, _ := m["message"].(string)
		c := parseCause(message)
		c.field, _ = m["field"].(string)
		out = append(out, c)
	}
	return out
}

// parseCause reads the owner out of a cause's message (apimachinery,
// managedfields/internal/conflict.go, printManager):
//
//	conflict with "m"                                      an Apply entry
//	conflict with "m" with subresource "s" using apps/v1   an Update entry
//	... using apps/v1 at 2024-01-02T03:04:05Z
//
// A message of another form gives an Update without a name.
func parseCause(message string) cause {
	c := cause{}
	c.Operation = ownership.Update
	rest, ok := strings.CutPrefix(message, "conflict with ")
	if !ok {
		return c
	}
	c.Manager, rest = quoted(rest)
	if after, ok := strings.CutPrefix(rest, " with subresource "); ok {
		c.Subresource, rest = quoted(after)
	}
	using, ok := strings.CutPrefix(rest, " using ")
	if !ok {
		c.Operation = ownership.Apply
		return c
	}
	version, at, _ := strings.Cut(using, " at ")
	c.APIVersion = version
	if t, err := time.Parse(time.RFC3339, at); err == nil {
		c.time = &t
	}
	return c
}

// quoted cuts a quoted string off the front of s.
func quoted(s string) (text, rest string) {
	q, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", s
	}
	text, _ = strconv.Unquote(q)
	return text, s[len(q):]
}
