package render

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// The style sheet has this many manager colours, and marks of different shape
// for the managers after them.
const (
	managerColors = 8
	managerMarks  = 4
)

// people are the field managers of a page. Each has one colour on the whole
// page; the name is always beside it.
type people struct {
	list   []*managerView
	byName map[string]*managerView
}

// managerView is one field manager.
type managerView struct {
	look
	// Number is the rank, from 0.
	Number int
	// Fields is the number of owned fields, Objects that of the objects where
	// the manager takes part, Conflicts that of the fields it holds against an
	// apply.
	Fields, Objects, Conflicts int
}

func newPeople() *people { return &people{byName: map[string]*managerView{}} }

// meet counts those who take part in an object.
func (p *people) meet(c *cast) {
	for name, part := range c.parts {
		m := p.byName[name]
		if m == nil {
			m = &managerView{look: look{Name: managerName(name)}}
			p.byName[name] = m
			p.list = append(p.list, m)
		}
		m.Objects++
		m.Fields += part.fields
		m.Conflicts += part.conflicts
	}
}

// rank sorts managers by the fields they own, then by name, so that those met
// most often get the colours that differ most.
func (p *people) rank() {
	slices.SortFunc(p.list, func(a, b *managerView) int {
		return cmp.Or(cmp.Compare(b.Fields, a.Fields), cmp.Compare(a.Name, b.Name))
	})
	for i, m := range p.list {
		m.Number, m.Color, m.Mark = i, strconv.Itoa(i%managerColors), strconv.Itoa(i/managerColors%managerMarks)
	}
}

// of finds a manager; one that took part in no object has a neutral look.
func (p *people) of(name string) *managerView {
	if m := p.byName[name]; m != nil {
		return m
	}
	return &managerView{Number: -1, look: look{Name: managerName(name), Color: neutral, Mark: "0"}}
}

// numbers are those of a cast, each between two spaces.
func (p *people) numbers(c *cast) string {
	var numbers []int
	for name := range c.parts {
		numbers = append(numbers, p.of(name).Number)
	}
	slices.Sort(numbers)
	var b strings.Builder
	for _, n := range numbers {
		b.WriteString(" " + strconv.Itoa(n))
	}
	return b.String() + " "
}

func managerName(name string) string {
	if name == "" {
		return "(no name)"
	}
	return visible(name)
}
