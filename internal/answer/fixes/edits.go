package fixes

import (
	"slices"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// maxFields is how many fields a command names at most, and maxObjects how many objects.
const maxFields, maxObjects = 5, 5

// Edits are fields of objects that are edited alike.
type Edits struct {
	List []edit
	// Many: there are more than commands can name.
	Many bool
}

type edit struct {
	Target report.Target
	Fields []string
}

// Add takes one more edit.
func (e *Edits) Add(t report.Target, field string) {
	if n := len(e.List); n == 0 || e.List[n-1].Target != t {
		if n == maxObjects {
			e.Many = true
			return
		}
		e.List = append(e.List, edit{Target: t})
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

// Commands edit these fields of these objects, and nothing else: a command for those
// that have the same fields, in each namespace. There are none where there are too many.
func (e Edits) Commands(a Asked, kind conflict.ResolutionKind) []shell.Line {
	if e.Many {
		return nil
	}
	var out []shell.Line
	left := slices.Clone(e.List)
	for len(left) > 0 {
		fields := left[0].Fields
		var targets []report.Target
		left = slices.DeleteFunc(left, func(one edit) bool {
			same := slices.Equal(one.Fields, fields)
			if same {
				targets = append(targets, one.Target)
			}
			return same
		})
		for _, objects := range OperandsOf(targets, a.reading) {
			out = append(out, a.Of(objects).Resolve(Resolving(kind, fields)...))
		}
	}
	return out
}

// Resolving are the flags of resolve that do an option with fields; none for an option
// that edits no manifest.
func Resolving(kind conflict.ResolutionKind, fields []string) []shell.Flag {
	var out []shell.Flag
	for _, field := range fields {
		switch kind {
		case conflict.StopManaging:
			out = append(out, shell.Value("--stop-managing", field))
		case conflict.UseLiveValue:
			out = append(out, shell.Value("--use-live-value", field))
		}
	}
	return out
}

// ResolvingAll is the flag of resolve that does an option with all conflicting fields
// that other flags leave; none for an option that edits no manifest.
func ResolvingAll(kind conflict.ResolutionKind) []shell.Flag {
	switch kind {
	case conflict.StopManaging:
		return []shell.Flag{shell.Switch("--all-stop-managing")}
	case conflict.UseLiveValue:
		return []shell.Flag{shell.Switch("--all-use-live-value")}
	}
	return nil
}
