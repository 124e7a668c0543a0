package compare

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/report"
)

// Kind is that of the document of a run.
const Kind = "Comparison"

// Document is one run of compare: a Comparison for each object, in their order.
type Document struct {
	report.Head
	Summary Summary `json:"summary"`
	// Findings are what the objects differ in, by how much it weighs.
	Findings []finding.Finding `json:"findings,omitempty"`
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

// Differ reports whether anything differs between the dumps.
func (s Summary) Differ() bool { return s.Total > s.Unchanged+s.Failed }

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
	d.Findings = findings(d.Objects)
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
