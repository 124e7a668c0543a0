package rules

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// What apply says of the manifest, audit says with the same reason and the same fixes, which were
// followed: only the files that the commands name are those of the audit.

// fixedAs is a finding with the reason and the fixes of what apply finds.
func (s *view) fixedAs(f, of report.Finding) report.Finding {
	f.Why, f.Fixes = of.Why, []report.Fix{}
	for _, fix := range of.Fixes {
		if fix.InClient != nil {
			f.InClient = append(f.InClient, *fix.InClient)
		} else {
			fix = s.onFiles(fix, of)
		}
		f.Fixes = append(f.Fixes, fix)
	}
	return f
}

// onFiles is a fix with its command on the files of the object. Force has none: the manifests of an
// audit are many, and force takes all that they conflict over.
func (s *view) onFiles(fix report.Fix, of report.Finding) report.Fix {
	if s.Manifest == nil || !fix.ByHand.IsZero() {
		// The client deletes the object, so that no manifest is to be edited; or no command edits it.
		return fix
	}
	applier, field := s.Manifest.Manager, cmp.Or(of.AskedAs, of.Field)
	switch fix.Edit {
	case report.EditStop:
		fix.Command = s.editing(shell.Value("--stop-managing", field))
	case report.EditShare:
		fix.Command = s.editing(shell.Value("--use-live-value", field))
	case report.EditLeave:
		fix.Command = s.editing(shell.Value("--owned-by", fix.Manager), shell.Switch("--all-stop-managing"))
	case report.EditMigrate:
		from := managersOf(of.Owners)
		if from == nil {
			from = []string{fix.Manager}
		}
		fix.Command = s.migrating(from, applier)
	case report.EditMigrateLeft:
		fix.Command = s.migrating(fix.From, applier).With(shell.Value("--claim", string(migration.ClaimLeftover)))
	case report.EditApplier:
		fix.Command = s.inputs(shell.Command("ssactl", "apply")).With(s.Sender...).
			With(shell.Value("--field-manager", fix.Manager)).With(s.Flags...)
	case report.EditExplain:
		fix.Command = s.applying(shell.Command("ssactl", "explain"))
	case report.EditForce:
		fix.Command = shell.Line{}
	}
	return fix
}

// editing edits the manifest of the object.
func (s *view) editing(flags ...shell.Flag) shell.Line {
	line := s.applying(shell.Command("ssactl", "resolve")).With(flags...)
	if s.Kustomization == "" {
		line = line.With(shell.Switch("--write"))
	}
	return line
}

// migrating hands the object over from managers.
func (s *view) migrating(from []string, to string) shell.Line {
	line := s.inputs(migrateIt).With(s.Flags...)
	for _, manager := range from {
		line = line.With(shell.Value("--from", migration.FromValue(manager)))
	}
	return line.With(shell.Value("--to", to))
}

// managersOf are the field managers of entries, each once; nil for none.
func managersOf(list []report.Writer) []string {
	var out []string
	for _, w := range list {
		if !slices.Contains(out, w.Manager) {
			out = append(out, w.Manager)
		}
	}
	return out
}
