package audit

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// about is a command of ssactl on the file of this object, for this object alone.
func (s *subject) about(command shell.Line, flags ...shell.Flag) shell.Line {
	command = command.With(shell.File("-f", s.Source.File))
	if s.Target.Namespace != "" {
		command = command.With(shell.Value("-n", s.Target.Namespace))
	}
	return command.With(flags...).With(s.Flags...).On(s.reference())
}

// Commands of ssactl.
var (
	migrateIt  = shell.Command("ssactl", "migrate")
	clearIt    = shell.Command("ssactl", "clear")
	ownersOf   = shell.Command("ssactl", "owners")
	transferIt = shell.Command("ssactl", "transfer")
)

func from(e managedfields.Entry) shell.Flag {
	return shell.Value("--from", migrate.FromValue(e.Manager))
}

// reference is KIND.GROUP/NAME, as commands of ssactl name an object.
func (s *subject) reference() string {
	kind := s.kind()
	name := strings.ToLower(kind.Kind)
	if kind.Group != "" {
		name += "." + kind.Group
	}
	return name + "/" + s.Target.Name
}

func (s *subject) object() kubectl.Object {
	kind := s.kind()
	resource := s.Resource
	if resource == "" {
		resource = strings.ToLower(kind.Kind)
	}
	return kubectl.Object{
		Resource:  schema.GroupVersionResource{Group: kind.Group, Version: kind.Version, Resource: resource},
		Namespace: s.Target.Namespace, Name: s.Target.Name,
	}
}

// fixOld gives an old entry's fields to the heir, or to nobody where a person
// wrote them: what was done by hand is in no manifest, and the heir's next
// apply would remove it.
func (s *subject) fixOld(old, heir managedfields.Entry, care care) []Fix {
	give := Fix{Kind: GiveFields, Manager: heir.Manager, Line: s.about(migrateIt, from(old), shell.Value("--to", heir.Manager))}
	clear := s.fixClear(old)
	if care == byHand {
		return []Fix{clear, give}
	}
	return []Fix{give, clear}
}

// fixSilent moves what a client-side tool wrote to server-side apply: cleared, the fields
// of its manifest would have no owner. What another writer left behind is cleared.
func (s *subject) fixSilent(e managedfields.Entry) []Fix {
	heir, shared := s.heirOf(e, s.applies())
	switch {
	case careOf(e) != byTool:
		return []Fix{s.fixClear(e)}
	case shared != nil:
		return s.fixOld(e, heir, byTool)
	}
	return []Fix{{Kind: MigrateEntry, Manager: e.Manager, Line: s.about(migrateIt, from(e))}}
}

// fixNobodys gives the fields of a made-up manager to the one who applies most
// of them, or to nobody.
func (s *subject) fixNobodys(e managedfields.Entry) []Fix {
	if heir, shared := s.heirOf(e, s.applies()); shared != nil {
		return s.fixOld(e, heir, byTool)
	}
	return []Fix{s.fixClear(e)}
}

func (s *subject) fixClear(e managedfields.Entry) Fix {
	return Fix{Kind: ClearEntry, Manager: e.Manager, Line: s.about(clearIt, shell.Value("--manager", e.Manager), shell.Value("--operation", e.Operation), shell.Value("--subresource", e.Subresource))}
}

func (s *subject) fixClearAll() Fix {
	return Fix{Kind: ClearAll, Line: s.about(clearIt, shell.Switch("--all"))}
}

func (s *subject) fixLook() Fix {
	return Fix{Kind: ListEntries, Line: s.about(ownersOf, shell.Value("--as", "managers"))}
}

func (s *subject) fixRemoved(e managedfields.Entry) []Fix {
	out := []Fix{{Kind: ClearUnserved, Line: s.about(clearIt, shell.Switch("--unserved"))}}
	heir := e.Manager
	if e.Operation != managedfields.Apply {
		applies := s.applies()
		switch {
		case len(applies) > 0:
			heir = applies[0].Manager
		case e.Set.Has(lastAppliedPath):
			return append(out, Fix{Kind: MigrateServed, Line: s.about(migrateIt, from(e))})
		default:
			return out
		}
	}
	return append(out, Fix{Kind: GiveServed, Manager: heir, Line: s.about(migrateIt, from(e), shell.Value("--to", heir))})
}

// fixMissing takes the claims away. An applier claims them again as long as
// its manifest has them.
func (s *subject) fixMissing(e managedfields.Entry) Fix {
	f := Fix{Kind: ClearMissing, Manager: e.Manager, Line: s.about(clearIt, shell.Switch("--missing-fields"), shell.Value("--manager", e.Manager), shell.Value("--operation", e.Operation))}
	if e.Operation == managedfields.Apply {
		f.Kind = ClearMissingApplied
	}
	return f
}

func (s *subject) fixStringData(e managedfields.Entry) Fix {
	return Fix{Kind: ListOwned, Manager: e.Manager, Line: s.about(ownersOf, shell.Value("--manager", e.Manager))}
}

func (s *subject) fixAnnotation() Fix {
	return Fix{Kind: DropAnnotation, Line: s.object().Unannotate(LastApplied)}
}

func (s *subject) fixDisagreement(rule string, field string) []Fix {
	why := s.fixWhy(field)
	if rule == LastAppliedStale {
		return []Fix{s.fixAnnotation(), why}
	}
	return []Fix{why}
}

// fixServed fetches the object at a version that is served.
func (s *subject) fixServed(apiVersion string) Fix {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return Fix{}
	}
	get := kubectl.Get{Namespace: s.Target.Namespace, Selections: []kubectl.Selection{{
		Type: strings.ToLower(s.Target.Kind) + "." + gv.Version + "." + gv.Group, Names: []string{s.Target.Name},
	}}}
	return Fix{Kind: FetchServed, Version: apiVersion, Line: get.YAML()}
}

func (s *subject) fixWhy(field string) Fix {
	return Fix{Kind: ShowField, Line: s.about(shell.Command("ssactl", "owners")).On(field)}
}

// fixPorts moves a client-side writer to server-side apply. Without one, it names the
// managers that may become one.
func (s *subject) fixPorts(client *managedfields.Entry, field string) []Fix {
	if client == nil {
		return []Fix{{Kind: ListPorts, Line: s.about(ownersOf, shell.Value("--field", field))}}
	}
	return []Fix{{Kind: MigratePorts, Line: s.about(migrateIt, from(*client))}}
}

// fixManifest looks closer at what applying a manifest gave.
func (s *subject) fixManifest(kind FixKind, command shell.Line, r report.Result, more ...shell.Flag) Fix {
	command = s.inputs(command, r).With(shell.Value("--field-manager", r.Manager))
	return Fix{Kind: kind, Line: command.With(s.Flags...).With(more...)}
}

// inputs is a command on the object, its manifest, and the live object.
func (s *subject) inputs(command shell.Line, r report.Result) shell.Line {
	manifest := shell.File("-f", r.Source.File)
	if s.Kustomization != "" {
		manifest = shell.File("-k", s.Kustomization)
	}
	command = command.With(manifest)
	if r.LiveSource != nil {
		command = command.With(shell.File("--live", r.LiveSource.File))
	}
	if s.Target.Namespace != "" {
		command = command.With(shell.Value("-n", s.Target.Namespace))
	}
	return command.On(s.reference())
}

// fixConflict does what is recommended about a conflict; none where nothing is, or force.
func (s *subject) fixConflict(r report.Result, c report.Conflict) []Fix {
	if c.Advice == nil {
		return nil
	}
	edit := func(kind FixKind, flag shell.Flag) []Fix {
		flags := []shell.Flag{flag}
		if s.Kustomization == "" {
			flags = append(flags, shell.Switch("--write"))
		}
		return []Fix{s.fixManifest(kind, shell.Command("ssactl", "resolve"), r, flags...)}
	}
	switch kind, because := explain.Recommended(*c.Advice); kind {
	case explain.StopManaging:
		return edit(RemoveField, shell.Value("--stop-managing", c.Field))
	case explain.UseLiveValue:
		return edit(WriteLive, shell.Value("--use-live-value", c.Field))
	case explain.Migrate:
		line := s.inputs(migrateIt, r)
		for _, manager := range because.Managers {
			line = line.With(shell.Value("--from", migrate.FromValue(manager)))
		}
		return []Fix{{Kind: TakeObject, Manager: r.Manager, Line: line.With(shell.Value("--to", r.Manager)).With(s.Flags...)}}
	}
	return nil
}
