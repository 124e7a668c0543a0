package fixes

import (
	"slices"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// Editing are the commands that edit these fields of these objects, and nothing else: a
// command for those that have the same fields, in each namespace. There are none where there
// are too many.
func (a Asked) Editing(e finding.Edits, kind conflict.ResolutionKind) []shell.Line {
	if e.Many {
		return nil
	}
	var out []shell.Line
	left := slices.Clone(e.List)
	for len(left) > 0 {
		fields := left[0].Fields
		var targets []report.Target
		left = slices.DeleteFunc(left, func(one finding.Edited) bool {
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
	if len(out) > mostCommands {
		return nil
	}
	return out
}

// mostCommands is how many commands are pasted for one thing.
const mostCommands = 5

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
