package audit

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/report"
)

// ssactl is a command on the file of this object, for this object alone.
func (s *subject) ssactl(verb string, args ...string) []string {
	words := []string{"ssactl", verb, "-f", s.Source.File}
	if s.Target.Namespace != "" {
		words = append(words, "-n", s.Target.Namespace)
	}
	words = append(words, s.reference())
	return slices.Concat(words, args, s.Flags)
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

func (s *subject) kubectl(verb string, args ...string) []string {
	kind := s.kind()
	resource := s.Resource
	if resource == "" {
		resource = strings.ToLower(kind.Kind)
	}
	o := kubectl.Object{
		Resource:  schema.GroupVersionResource{Group: kind.Group, Version: kind.Version, Resource: resource},
		Namespace: s.Target.Namespace, Name: s.Target.Name,
	}
	return o.Command(verb, args...)
}

// fixOld gives an old entry's fields to the heir, or to nobody where a person
// wrote them: what was done by hand is in no manifest, and the heir's next
// apply would remove it.
func (s *subject) fixOld(old, heir managedfields.Entry, care care) []Fix {
	give := Fix{Kind: GiveFields, Manager: heir.Manager, Args: s.ssactl("migrate", "--from", migrate.FromValue(old.Manager), "--to", heir.Manager)}
	clear := s.fixClear(old)
	if care == byHand {
		return []Fix{clear, give}
	}
	return []Fix{give, clear}
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
	return Fix{Kind: ClearEntry, Manager: e.Manager, Args: s.ssactl("clear", "--manager", e.Manager, "--operation", e.Operation, "--subresource", e.Subresource)}
}

func (s *subject) fixClearAll() Fix {
	return Fix{Kind: ClearAll, Args: s.ssactl("clear")}
}

func (s *subject) fixLook() Fix {
	return Fix{Kind: ListEntries, Args: s.ssactl("owners", "--as", "managers")}
}

func (s *subject) fixRemoved(e managedfields.Entry) []Fix {
	out := []Fix{{Kind: ClearUnserved, Args: s.ssactl("clear", "--unserved")}}
	heir := e.Manager
	if e.Operation != managedfields.Apply {
		applies := s.applies()
		switch {
		case len(applies) > 0:
			heir = applies[0].Manager
		case e.Set.Has(lastAppliedPath):
			return append(out, Fix{Kind: MigrateServed, Args: s.ssactl("migrate", "--from", migrate.FromValue(e.Manager))})
		default:
			return out
		}
	}
	return append(out, Fix{Kind: GiveServed, Manager: heir, Args: s.ssactl("migrate", "--from", migrate.FromValue(e.Manager), "--to", heir)})
}

// fixMissing takes the claims away. An applier claims them again as long as
// its manifest has them.
func (s *subject) fixMissing(e managedfields.Entry) Fix {
	f := Fix{Kind: ClearMissing, Manager: e.Manager, Args: s.ssactl("clear", "--missing-fields", "--manager", e.Manager, "--operation", e.Operation)}
	if e.Operation == managedfields.Apply {
		f.Kind = ClearMissingApplied
	}
	return f
}

func (s *subject) fixStringData(e managedfields.Entry) Fix {
	return Fix{Kind: ListOwned, Manager: e.Manager, Args: s.ssactl("owners", "--manager", e.Manager)}
}

func (s *subject) fixAnnotation() Fix {
	return Fix{Kind: DropAnnotation, Args: s.kubectl("annotate", LastApplied+"-")}
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
	words := []string{"kubectl", "get", strings.ToLower(s.Target.Kind) + "." + gv.Version + "." + gv.Group, s.Target.Name}
	if s.Target.Namespace != "" {
		words = append(words, "-n", s.Target.Namespace)
	}
	return Fix{Kind: FetchServed, Version: apiVersion, Args: append(words, "-o", "yaml", "--show-managed-fields")}
}

func (s *subject) fixWhy(field string) Fix {
	return Fix{Kind: ShowField, Args: s.ssactl("why", field)}
}

// fixPorts moves a client-side writer to server-side apply; without one, it
// reports who might become one.
func (s *subject) fixPorts(client *managedfields.Entry, field string) []Fix {
	if client == nil {
		return []Fix{{Kind: ListPorts, Args: s.ssactl("owners", "--field", field)}}
	}
	return []Fix{{Kind: MigratePorts, Args: s.ssactl("migrate", "--from", migrate.FromValue(client.Manager))}}
}

// fixManifest looks closer at what applying a manifest gave.
func (s *subject) fixManifest(kind FixKind, verb string, r report.Result) Fix {
	words := []string{"ssactl", verb, "-f", r.Source.File}
	if s.Kustomization != "" {
		words = []string{"ssactl", verb, "-k", s.Kustomization}
	}
	if r.LiveSource != nil {
		words = append(words, "--live", r.LiveSource.File)
	}
	words = append(words, "--field-manager", r.Manager)
	return Fix{Kind: kind, Args: append(words, s.Flags...)}
}
