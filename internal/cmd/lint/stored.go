package lint

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var notStored = finding.Rule{
	Name: "not-stored", Severity: report.SeverityWarning,
	Title: "The API server does not store a value of the manifest.",
	Why:   "The server drops false, 0, and empty strings, lists and maps of some fields. The field manager still owns the field: others that set it conflict with a field that is not visible, and tools that compare report a difference each time.",
	Fix:   "take it out of the manifest",
}

var storedDifferently = finding.Rule{
	Name: risk.StoredDifferently, Severity: report.SeverityNote,
	Title: "The API server stores another spelling of a value.",
	Why:   "Another manager that applies the manifest's spelling conflicts with the stored one, a typed client that updates the object owns the field, and tools that compare report a difference each time.",
}

var defaultInAtomic = finding.Rule{
	Name: "default-in-atomic", Severity: report.SeverityNote,
	Title: "The API server fills defaults into an atomic list or map.",
	Why:   "An atomic list or map is one value, and the stored one differs from that of the manifest: another field manager that applies the same manifest conflicts over all of it. Writing the defaults into the manifest avoids that.",
	Fix:   "write the defaults into the manifest",
}

// findStored compares what the manifest asks for with what is stored: as the answer has
// it, or where the manifest is refused, as it would be stored once it was decoded.
func findStored(s *subject) {
	after := s.Result.Object
	if s.Result.Outcome.Refused() || after == nil {
		after = s.Stored
	}
	if after == nil || s.Object == nil || s.Deduced {
		return
	}
	for _, leaf := range s.Shape.Leaves(s.Object) {
		if managedfields.Untracked(leaf.Path) {
			continue
		}
		// Other rules tell of a status, and of what a Secret moves.
		first := *leaf.Path[0].FieldName
		if !s.Resets("."+first) && !(s.secret() && first == "stringData") && !s.seen[s.field(leaf.Path)] {
			compareLeaf(s, leaf, after)
		}
	}
}

func compareLeaf(s *subject, leaf managedfields.Leaf, after map[string]any) {
	found := s.finder.Lookup(s.Shape, after, leaf.Path)
	field := s.field(leaf.Path)
	switch {
	case len(found) == 0 && ownsLeaf(s, leaf):
		s.fixing(notStored, s.line(leaf.Path), isNotStored(s, field, leaf.Value), s.dropping(leaf.Path), field)
	case len(found) != 1 || !isNormalised(s, field):
	case managedfields.Composite(leaf.Value):
		inAtomic(s, leaf, field, found[0])
	case !engine.Stores(found[0], leaf.Value):
		storedAs(s, leaf.Path, field, change{field, leaf.Value, found[0]}, found[0])
	}
}

// ownsLeaf reports whether an apply owns a field that is not stored. Where the manifest
// is refused, nobody knows; null asks for nothing then.
func ownsLeaf(s *subject, leaf managedfields.Leaf) bool {
	if s.Result.Outcome.Refused() || s.Result.Object == nil {
		return leaf.Value != nil && zero(leaf.Value)
	}
	return slices.ContainsFunc(managedfields.Of(s.Result.Object).Readable(), func(e managedfields.Entry) bool {
		return managedfields.Covers(e.Set, leaf.Path)
	})
}

// zero reports whether a value is the zero value of its type.
func zero(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	case float64:
		return v == 0
	}
	return v == "" || v == int64(0) || v == false
}

// isNormalised reports whether a difference is the server's spelling, and nothing that
// admission or a strategy did.
func isNormalised(s *subject, field string) bool {
	if s.reasons == nil {
		s.reasons = map[string]report.Reason{}
		for _, c := range slices.Backward(s.Result.Changes) {
			s.reasons[c.Field] = c.Reason
		}
	}
	reason, changes := s.reasons[field]
	return !changes || reason == report.ReasonNormalised || reason == report.ReasonApplied
}

// inAtomic reports what the server adds to an atomic list or map, or else spells
// differently in it.
func inAtomic(s *subject, leaf managedfields.Leaf, field string, after any) {
	var d differences
	d.compare(leaf.Value, after, "")
	switch {
	case len(d.changed) > 0:
		c := d.changed[0]
		storedAs(s, leaf.Path, field, change{field + c.at, c.before, c.after}, after)
	case len(d.lost) > 0:
		c := d.lost[0]
		s.find(notStored, s.line(leaf.Path), isNotStored(s, field+c.at, c.before), field)
	case len(d.added) > 0:
		fix := text.Text{}
		if !s.holds(s.written(leaf.Path, after), s.Result.Causes) {
			fix = noFix
		}
		says := text.New(
			"%v is atomic, and the API server adds %v",
			text.Path(field),
			text.Paths(d.added, mostFields, len(d.added)),
		)
		s.fixing(defaultInAtomic, s.line(leaf.Path), says, fix, field)
	}
}

// differences are those between two values, each at its path.
type differences struct {
	added         []string
	changed, lost []change
}

type change struct {
	at            string
	before, after any
}

func (d *differences) compare(before, after any, at string) {
	switch b := before.(type) {
	case map[string]any:
		a, ok := after.(map[string]any)
		if !ok {
			break
		}
		for _, key := range slices.Sorted(maps.Keys(a)) {
			if mine, has := b[key]; has {
				d.compare(mine, a[key], at+"."+key)
			} else {
				d.added = append(d.added, at+"."+key)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(b)) {
			if _, kept := a[key]; !kept && b[key] != nil {
				d.lost = append(d.lost, change{at: at + "." + key, before: b[key]})
			}
		}
		return
	case []any:
		a, ok := after.([]any)
		if !ok || len(a) != len(b) {
			break
		}
		for i := range a {
			d.compare(b[i], a[i], fmt.Sprintf("%s[%d]", at, i))
		}
		return
	}
	if !engine.Stores(after, before) {
		d.changed = append(d.changed, change{at, before, after})
	}
}

func isNotStored(s *subject, field string, v any) text.Text {
	return text.New("%v: %v is not stored", text.Path(field), s.value(field, v))
}

// storedAs finds a value that is stored in another spelling, or has one inside: what is
// stored then is that of the whole.
func storedAs(s *subject, path fieldpath.Path, field string, c change, stored any) {
	s.fixing(
		storedDifferently,
		s.line(path),
		text.New("%v: %v is stored as %v", text.Path(c.at), s.value(c.at, c.before), s.value(c.at, c.after)),
		s.writing(path, stored, text.New("write it as it is stored")),
		field,
	)
}

// value is one that a finding shows; none of a Secret.
func (s *subject) value(field string, v any) text.Arg {
	if s.secret() && !s.ShowSecrets {
		return text.Name("the value")
	}
	return text.ValueOf(field, v)
}

// spelling is a value as it is to be written.
func (s *subject) spelling(field string, v any) text.Arg {
	if s.secret() {
		return text.Name("it as the API server stores it")
	}
	return s.value(field, v)
}
