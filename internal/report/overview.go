package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldpattern"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Overview is what the results of a run have in common: who takes part, which
// conflicts are the same one in many objects, and what was not simulated.
type Overview struct {
	// Managers are sorted by objects, most first, then by writer.
	Managers []ManagerCount `json:"managers,omitempty"`
	// Conflicts are sorted by objects, most first, then by writer and field.
	Conflicts []ConflictGroup `json:"conflicts,omitempty"`
	// Notes are the doubts of confidence, sorted by objects, most first, then by text.
	Notes []NoteCount `json:"notes,omitempty"`
	// Left counts the conflicts that are in no group, as there were too many
	// different ones.
	Left int `json:"left,omitempty"`
}

// ManagerCount is a field manager in one role, and in how many objects it owns
// a field after the run.
type ManagerCount struct {
	Manager     string `json:"manager" secret:"public"`
	Operation   string `json:"operation" secret:"public"`
	Subresource string `json:"subresource,omitempty" secret:"public"`
	Objects     int    `json:"objects"`
}

// ConflictGroup is a field that one field manager owns in objects of one kind.
type ConflictGroup struct {
	Manager     string `json:"manager" secret:"public"`
	Operation   string `json:"operation" secret:"public"`
	Subresource string `json:"subresource,omitempty" secret:"public"`
	// Field is a field path with * for each list key, position or value that
	// is not the same in the whole group.
	Field string `json:"field" secret:"ours"`
	// Group is the API group; empty for the core group.
	Group string `json:"group,omitempty" secret:"public"`
	Kind  string `json:"kind" secret:"public"`
	// Objects counts the objects, and Fields the conflicts in them.
	Objects int `json:"objects"`
	Fields  int `json:"fields"`
	// First is the first object of the group, in the order of the report.
	First Target `json:"first"`
}

// NoteCount is a doubt of confidence and the number of objects that have it.
type NoteCount struct {
	Note string `json:"note" secret:"ours"`
	// Kind and Rule are those of the caveat.
	Kind    api.CaveatKind `json:"kind"`
	Rule    string         `json:"rule,omitempty" secret:"public"`
	Objects int            `json:"objects"`
}

// maxGroups bounds what a Tally holds of each kind: hostile input can have as
// many different ones as it has fields.
const maxGroups = 10_000

// Tally makes the summary and the overview of results that it does not keep.
// The zero value is ready for use.
type Tally struct {
	Summary   Summary
	managers  map[ManagerCount]int
	conflicts map[groupKey]*group
	notes     map[NoteCount]int
	left      int
}

// groupKey is what a group of conflicts has in common; its Objects, Fields
// and First are zero, and its Field has a * for everything in brackets.
type groupKey = ConflictGroup

type group struct {
	// keys are the texts in brackets, * where they differ.
	keys            []string
	objects, fields int
	first           Target
	last            int
}

// Add counts a result.
func (t *Tally) Add(r Result) {
	if t.managers == nil {
		t.managers, t.conflicts, t.notes = map[ManagerCount]int{}, map[groupKey]*group{}, map[NoteCount]int{}
	}
	t.Summary.count(r)
	t.addManagers(r)
	for _, c := range r.Conflicts {
		t.addConflict(r.Target, c)
	}
	for _, c := range r.Confidence.Doubts() {
		note := NoteCount{Note: c.Message, Kind: c.Kind, Rule: c.Rule}
		if _, known := t.notes[note]; known || len(t.notes) < maxGroups {
			t.notes[note]++
		}
	}
}

func (t *Tally) addManagers(r Result) {
	met := map[ManagerCount]bool{}
	for _, row := range r.Ownership {
		for _, w := range row.Managers {
			met[ManagerCount{Manager: w.Manager, Operation: w.Operation, Subresource: w.Subresource}] = true
		}
	}
	if r.Ownership == nil {
		for _, role := range managedfields.Listed(owned(r)) {
			met[ManagerCount{Manager: role.Manager, Operation: role.Operation, Subresource: role.Subresource}] = true
		}
	}
	for m := range met {
		if _, known := t.managers[m]; known || len(t.managers) < maxGroups {
			t.managers[m]++
		}
	}
}

// owned is the object that Ownership describes.
func owned(r Result) map[string]any {
	switch {
	case r.Deleted:
		return nil
	case r.Outcome.Refused():
		return r.Live
	}
	return r.Object
}

func (t *Tally) addConflict(target Target, c Conflict) {
	field, keys := Pattern(c.Field)
	apiGroup, _, grouped := strings.Cut(target.APIVersion, "/")
	if !grouped {
		apiGroup = ""
	}
	key := groupKey{
		Manager: c.Manager, Operation: c.Operation, Subresource: c.Subresource,
		Field: field, Group: apiGroup, Kind: target.Kind,
	}
	g := t.conflicts[key]
	if g == nil {
		if len(t.conflicts) >= maxGroups {
			t.left++
			return
		}
		g = &group{keys: keys, first: target}
		t.conflicts[key] = g
	}
	for i, k := range keys {
		if g.keys[i] != k {
			g.keys[i] = "*"
		}
	}
	g.fields++
	if g.last != t.Summary.Total {
		g.last = t.Summary.Total
		g.objects++
	}
}

// Overview is that of the results so far.
func (t *Tally) Overview() Overview {
	o := Overview{Left: t.left}
	for m, n := range t.managers {
		m.Objects = n
		o.Managers = append(o.Managers, m)
	}
	slices.SortFunc(o.Managers, func(a, b ManagerCount) int {
		return cmp.Or(cmp.Compare(b.Objects, a.Objects), strings.Compare(a.Manager, b.Manager),
			strings.Compare(a.Operation, b.Operation), strings.Compare(a.Subresource, b.Subresource))
	})
	for key, g := range t.conflicts {
		key.Field, key.Objects, key.Fields, key.First = Filled(key.Field, g.keys), g.objects, g.fields, g.first
		o.Conflicts = append(o.Conflicts, key)
	}
	slices.SortFunc(o.Conflicts, func(a, b ConflictGroup) int {
		return cmp.Or(cmp.Compare(b.Objects, a.Objects), strings.Compare(a.Manager, b.Manager),
			strings.Compare(a.Operation, b.Operation), strings.Compare(a.Subresource, b.Subresource),
			strings.Compare(a.Field, b.Field), strings.Compare(a.Group, b.Group), strings.Compare(a.Kind, b.Kind))
	})
	for note, n := range t.notes {
		note.Objects = n
		o.Notes = append(o.Notes, note)
	}
	slices.SortFunc(o.Notes, func(a, b NoteCount) int {
		return cmp.Or(cmp.Compare(b.Objects, a.Objects), strings.Compare(a.Note, b.Note), strings.Compare(a.Rule, b.Rule))
	})
	return o
}

// Pattern takes what stands in brackets out of a field path: the keys,
// positions and values of list items, which are "[*]" in the path.
func Pattern(field string) (pattern string, keys []string) {
	var b strings.Builder
	for {
		open := strings.IndexByte(field, '[')
		end := -1
		if open >= 0 {
			end = fieldpattern.Closing(field[open:])
		}
		if end < 0 {
			b.WriteString(field)
			return b.String(), keys
		}
		b.WriteString(field[:open] + "[*]")
		keys = append(keys, field[open+1:open+end])
		field = field[open+end+1:]
	}
}

// Filled puts the keys back that a whole group shares.
func Filled(pattern string, keys []string) string {
	parts := strings.Split(pattern, "[*]")
	var b strings.Builder
	b.WriteString(parts[0])
	for i, k := range keys {
		b.WriteString("[" + k + "]" + parts[i+1])
	}
	return b.String()
}
