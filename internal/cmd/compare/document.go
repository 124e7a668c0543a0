// Package compare says what happened between two dumps of the same cluster:
// which objects, values and owners changed, and who took what from whom.
//
//	document.go   what is said of one object, as plain data, and of all objects of a run,
//	              counted and grouped by manager
//	compare.go    two states of an object to that: values, and the next apply of a manifest
//	ownership.go  owners of each field before and after; entries that came and went
//	rules.go      what of that weighs how much
package compare

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/report"
)

// State is what became of an object from one dump to the other.
type State string

// The states of an object.
const (
	// Added: only the later dump has it; Removed: only the earlier one.
	Added   State = "Added"
	Removed State = "Removed"
	// Recreated: both have one of this name, with different uids.
	Recreated State = "Recreated"
	// Changed: values, owners or managed fields entries differ.
	Changed State = "Changed"
	// Unchanged: nothing differs but what every write changes.
	Unchanged State = "Unchanged"
	// Failed: the object could not be compared; Error says why.
	Failed State = "Failed"
)

// Comparison is one object in both dumps. It is inert data: lists are sorted,
// and nil where there is nothing.
type Comparison struct {
	Target report.Target `json:"target"`
	// Before and After are where the object was read; nil where a dump does not
	// have it.
	Before *report.Source `json:"before,omitempty"`
	After  *report.Source `json:"after,omitempty"`
	State  State          `json:"state"`
	Error  string         `json:"error,omitempty"`
	// WasAt is the API version of the earlier dump where it is another one: values
	// are not compared then, as each version has fields of its own.
	WasAt string `json:"wasAt,omitempty" secret:"public"`
	// Bare is the side, Before or After, that has this object without managed fields,
	// and no other with them. If it was fetched without them, Moves and Entries are
	// not real. Empty for none.
	Bare BareSide `json:"bare,omitempty" secret:"public"`
	// Owned: both sides have managed fields of the object.
	Owned bool `json:"-"`
	// Values are the fields with another value, sorted by field.
	Values []Value `json:"values,omitempty"`
	// Moves are the fields with other owners, sorted by field.
	Moves []Move `json:"moves,omitempty"`
	// Entries are the managed fields entries that came or went.
	Entries []Entry `json:"entries,omitempty"`
	// Next is the next apply of the object's manifest; nil without one.
	Next *Next `json:"next,omitempty"`
}

// BareSide is one of two dumps.
type BareSide string

// The sides.
const (
	BareBefore BareSide = "Before"
	BareAfter  BareSide = "After"
)

// Value is a field that has another value in the later dump.
type Value struct {
	Field  string            `json:"field" secret:"path"`
	Kind   report.ChangeKind `json:"kind"`
	Before any               `json:"before,omitempty"`
	After  any               `json:"after,omitempty"`
	// By are the entries that own the field in the later dump and were written
	// since the earlier one; nil where no entry says who it was.
	By []report.Writer `json:"by,omitempty"`
}

// MoveKind is what happened to the ownership of a field.
type MoveKind string

// The kinds of moves.
const (
	// Taken: others own the field now.
	Taken MoveKind = "Taken"
	// Joined: others own it too.
	Joined MoveKind = "Joined"
	// Left: some of several owners no longer own it.
	Left MoveKind = "Left"
	// Claimed: it had no owner, and has one now.
	Claimed MoveKind = "Claimed"
	// Came: it is new, and its owners with it.
	Came MoveKind = "Came"
	// Unowned: it is there, and nobody owns it any more.
	Unowned MoveKind = "Unowned"
	// Gone: it is not there any more, nor its owners.
	Gone MoveKind = "Gone"
)

// Move is a field whose owners are others than before. API versions and times
// do not count.
type Move struct {
	Field string   `json:"field" secret:"path"`
	Kind  MoveKind `json:"kind"`
	// From are the owners that it lost, To those that it won.
	From []report.Writer `json:"from,omitempty"`
	To   []report.Writer `json:"to,omitempty"`
}

// Stays reports whether both dumps have the field, so that its owners are what
// changed.
func (m Move) Stays() bool { return m.Kind != Came && m.Kind != Gone }

// Moved counts the fields that stay and have other owners.
func (c Comparison) Moved() int {
	n := 0
	for _, m := range c.Moves {
		if m.Stays() {
			n++
		}
	}
	return n
}

// at is where the newest dump that has the object has it.
func (c Comparison) at() (s report.Source) {
	if newest := cmp.Or(c.After, c.Before); newest != nil {
		s = *newest
	}
	return s
}

// refused reports whether the next apply of the manifest would be rejected.
func (c Comparison) refused() bool { return c.Next != nil && c.Next.After.Outcome.Refused() }

// lost counts the entries that are gone.
func (c Comparison) lost() int {
	n := 0
	for _, e := range c.Entries {
		if e.Kind == EntryRemoved {
			n++
		}
	}
	return n
}

// EntryKind says whether an entry came or went.
type EntryKind string

// The kinds of changed entries.
const (
	EntryAdded   EntryKind = "Added"
	EntryRemoved EntryKind = "Removed"
)

// Entry is a managed fields entry that only one of the dumps has.
type Entry struct {
	report.Writer
	Kind EntryKind `json:"kind"`
	// Fields is how many fields it owns.
	Fields int `json:"fields"`
}

// Kind is that of the document of a run.
const Kind = "Comparison"

// Document is one run of compare: a Comparison for each object, in their order.
type Document struct {
	report.Head
	Summary Summary `json:"summary"`
	// Findings are what the objects differ in, by how much it weighs.
	Findings []report.Finding `json:"findings,omitempty"`
	// Managers are what field managers won and lost over all objects, those
	// with the most fields first.
	Managers []ManagerMoves `json:"managers,omitempty"`
	Objects  []Comparison   `json:"objects"`
	report.Ending
}

// Summary counts objects by State, and the fields and entries of those that
// changed.
type Summary struct {
	Total     int `json:"total"`
	Added     int `json:"added"`
	Removed   int `json:"removed"`
	Recreated int `json:"recreated"`
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
	Failed    int `json:"failed"`
	// Values and Moves count fields, of Moves those that stay; LostEntries counts
	// managed fields entries.
	Values      int `json:"values"`
	Moves       int `json:"moves"`
	LostEntries int `json:"lostEntries"`
	// Refused counts the next applies that the server would reject now, and
	// NewlyRefused those that it would have accepted before.
	Refused      int `json:"refused,omitempty"`
	NewlyRefused int `json:"newlyRefused,omitempty"`
}

// ManagerMoves are the fields that went from one field manager to another.
type ManagerMoves struct {
	// From is empty for fields that had no owner, To for those that have none now.
	From    string `json:"from,omitempty" secret:"public"`
	To      string `json:"to,omitempty" secret:"public"`
	Fields  int    `json:"fields"`
	Objects int    `json:"objects"`
}

// NewDocument counts objects, which it keeps in their order.
func NewDocument(run report.Run, objects []Comparison) Document {
	d := Document{Head: run.Head(Kind), Managers: byManager(objects), Objects: report.List(objects), Ending: run.Ending}
	d.Objects = slices.Clone(d.Objects)
	doubted := bare(objects)
	for i, o := range objects {
		d.Summary.count(o)
		if o.Bare != doubted {
			d.Objects[i].Bare = ""
		}
	}
	d.Findings = differences(d.Objects)
	return d
}

// bare is the side whose dump has no managed fields at all; empty for none. Where a
// dump has those of some objects, those of others are lost indeed.
func bare(objects []Comparison) (side BareSide) {
	for _, o := range objects {
		if o.Owned || side != "" && o.Bare != "" && o.Bare != side {
			return ""
		}
		side = cmp.Or(side, o.Bare)
	}
	return side
}

func (s *Summary) count(c Comparison) {
	s.Total++
	*s.of(c.State)++
	s.Values += len(c.Values)
	s.Moves += c.Moved()
	s.LostEntries += c.lost()
	if n := c.Next; c.refused() {
		s.Refused++
		if n.Before == nil || !n.Before.Outcome.Refused() {
			s.NewlyRefused++
		}
	}
}

func (s *Summary) of(state State) *int {
	switch state {
	case Added:
		return &s.Added
	case Removed:
		return &s.Removed
	case Recreated:
		return &s.Recreated
	case Changed:
		return &s.Changed
	case Unchanged:
		return &s.Unchanged
	}
	return &s.Failed
}

// byManager groups the moves of all objects. Fields that went with their owners,
// and owners that joined or left, are no move from one to another.
func byManager(objects []Comparison) []ManagerMoves {
	type pair struct{ from, to string }
	found := map[pair]*ManagerMoves{}
	for _, o := range objects {
		seen := map[pair]bool{}
		for _, m := range o.Moves {
			if m.Kind != Taken && m.Kind != Claimed && m.Kind != Unowned {
				continue
			}
			p := pair{first(m.From), first(m.To)}
			if found[p] == nil {
				found[p] = &ManagerMoves{From: p.from, To: p.to}
			}
			found[p].Fields++
			if !seen[p] {
				seen[p] = true
				found[p].Objects++
			}
		}
	}
	var out []ManagerMoves
	for _, m := range found {
		out = append(out, *m)
	}
	slices.SortFunc(out, func(a, b ManagerMoves) int {
		return cmp.Or(cmp.Compare(b.Fields, a.Fields), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return out
}

// first is the manager that stands for several; empty for none.
func first(writers []report.Writer) string {
	if len(writers) == 0 {
		return ""
	}
	return writers[0].Manager
}
