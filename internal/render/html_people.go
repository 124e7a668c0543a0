package render

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
)

// The style sheet has this many manager colours, and marks of different shape
// for the managers after them.
const (
	managerColors = 8
	managerMarks  = 4
)

// people are the field managers of a report. Each has one colour on the whole
// page; the name is always beside it.
type people struct {
	list   []*managerView
	byName map[string]*managerView
}

// managerView is one field manager.
type managerView struct {
	Name string
	// Number is the rank, from 0.
	Number int
	// Color and Mark choose classes of the style sheet.
	Color, Mark int
	// Fields is the number of owned fields, Objects that of the objects where
	// the manager takes part, Conflicts that of the fields it holds against an
	// apply.
	Fields, Objects, Conflicts int
	lastObject                 int
}

// newPeople ranks managers by the fields they own, then by name, so that those
// met most often get the colours that differ most.
func newPeople(results []engine.Result) *people {
	p := &people{byName: map[string]*managerView{}}
	for i := range results {
		r := &results[i]
		p.met(r.Manager, i+1)
		for _, row := range r.Ownership {
			for _, w := range row.Managers {
				p.met(w.Manager, i+1).Fields++
			}
		}
		for _, c := range r.Conflicts {
			p.met(c.Manager, i+1).Conflicts++
		}
		for _, t := range r.Transfers {
			p.met(t.Manager, i+1)
		}
	}
	slices.SortFunc(p.list, func(a, b *managerView) int {
		return cmp.Or(cmp.Compare(b.Fields, a.Fields), cmp.Compare(a.Name, b.Name))
	})
	for i, m := range p.list {
		m.Number, m.Color, m.Mark = i, i%managerColors, i/managerColors%managerMarks
	}
	return p
}

func (p *people) met(name string, object int) *managerView {
	m := p.byName[name]
	if m == nil {
		m = &managerView{Name: managerName(name)}
		p.byName[name] = m
		p.list = append(p.list, m)
	}
	if m.lastObject != object {
		m.lastObject = object
		m.Objects++
	}
	return m
}

// of finds a manager; one that the report did not name where it should has the
// first colour's neutral look.
func (p *people) of(name string) *managerView {
	if m := p.byName[name]; m != nil {
		return m
	}
	return &managerView{Name: managerName(name), Number: -1, Color: managerColors}
}

func managerName(name string) string {
	if name == "" {
		return "(no name)"
	}
	return visible(name)
}

// writerView is one managed fields entry beside what it owns.
type writerView struct {
	*managerView
	// Role is the operation and subresource, Since when it was last written;
	// both may be empty.
	Role, Since string
}

func (p *people) writer(w engine.Writer, o Options) writerView {
	role := w.Operation
	if w.Subresource != "" {
		role += " of " + w.Subresource
	}
	v := writerView{managerView: p.of(w.Manager), Role: visible(role)}
	if a := age(w.Time, o.Now); a != "" {
		v.Since = a + " ago"
	} else if w.Time != nil {
		v.Since = w.Time.UTC().Format("2006-01-02")
	}
	return v
}
