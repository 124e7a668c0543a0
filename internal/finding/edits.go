package finding

import (
	"slices"

	"github.com/ssactl/ssactl/internal/report"
)

// How many objects, and fields of each, Edits hold: a command names no more.
const maxObjects, maxFields = 40, 5

// Edits are fields of objects that are edited alike.
type Edits struct {
	List []Edited
	// Many: there are more than commands can name.
	Many bool
}

// Edited are fields of an object.
type Edited struct {
	Target report.Target
	Fields []string
}

// Add takes one more field.
func (e *Edits) Add(t report.Target, field string) {
	if n := len(e.List); n == 0 || e.List[n-1].Target != t {
		if n == maxObjects {
			e.Many = true
			return
		}
		e.List = append(e.List, Edited{Target: t})
	}
	last := &e.List[len(e.List)-1]
	switch {
	case slices.Contains(last.Fields, field):
	case len(last.Fields) == maxFields:
		e.Many = true
	default:
		last.Fields = append(last.Fields, field)
	}
}

// Targets are the objects.
func (e *Edits) Targets() []report.Target {
	var out []report.Target
	for _, one := range e.List {
		out = append(out, one.Target)
	}
	return out
}
