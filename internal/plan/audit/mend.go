package audit

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/shell/kubectl"
)

// ssactl is a command line on the file of this object, for this object alone.
func (s *subject) ssactl(verb string, args ...string) string {
	words := []string{"ssactl", verb, "-f", s.Source.File}
	if s.Target.Namespace != "" {
		words = append(words, "-n", s.Target.Namespace)
	}
	words = append(words, s.reference())
	return shell.Command(slices.Concat(words, args, s.Flags)...)
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

func (s *subject) kubectl(verb string, args ...string) string {
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

// mendOld gives an old entry's fields to the heir, or to nobody where a person
// wrote them: what was done by hand is in no manifest, and the heir's next
// apply would remove it.
func (s *subject) mendOld(old, heir managedfields.Entry, care care) []Mend {
	give := Mend{
		Command: s.ssactl("migrate", "--from", migrate.FromValue(old.Manager), "--to", heir.Manager),
		Does:    "gives the entry's fields to " + heir.Manager + ", whose next apply then removes what its manifest does not have",
	}
	clear := s.mendClear(old)
	if care == byHand {
		return []Mend{clear, give}
	}
	return []Mend{give, clear}
}

// mendNobodys gives the fields of a made-up manager to the one who applies most
// of them, or to nobody.
func (s *subject) mendNobodys(e managedfields.Entry) []Mend {
	if heir, shared := s.heirOf(e, s.applies()); shared != nil {
		return s.mendOld(e, heir, byTool)
	}
	return []Mend{s.mendClear(e)}
}

func (s *subject) mendClear(e managedfields.Entry) Mend {
	return Mend{
		Command: s.ssactl("clear", "--manager", e.Manager, "--operation", e.Operation, "--subresource", e.Subresource),
		Does:    "removes the entry of " + e.Manager + "; what it alone owned stays, without owner",
	}
}

func (s *subject) mendClearAll() Mend {
	return Mend{Command: s.ssactl("clear"), Does: "clears managedFields, so that the API server starts to track anew"}
}

func (s *subject) mendLook() Mend {
	return Mend{Command: s.ssactl("owners", "--as", "managers"), Does: "lists the entries, with what each of them owns"}
}

func (s *subject) mendRemoved(e managedfields.Entry) []Mend {
	out := []Mend{{Command: s.ssactl("clear", "--unserved"), Does: "removes the entries at versions that are not served; what they alone owned stays, without owner"}}
	heir := e.Manager
	if e.Operation != managedfields.Apply {
		applies := s.applies()
		switch {
		case len(applies) > 0:
			heir = applies[0].Manager
		case e.Set.Has(lastAppliedPath):
			return append(out, Mend{Command: s.ssactl("migrate", "--from", migrate.FromValue(e.Manager)), Does: "moves the object to server-side apply, with the entry's fields at a version that is served"})
		default:
			return out
		}
	}
	return append(out, Mend{Command: s.ssactl("migrate", "--from", migrate.FromValue(e.Manager), "--to", heir), Does: "gives its fields to " + heir + " at a version that is served"})
}

// mendMissing takes the claims away. An applier claims them again as long as
// its manifest has them.
func (s *subject) mendMissing(e managedfields.Entry) Mend {
	m := Mend{
		Command: s.ssactl("clear", "--missing-fields", "--manager", e.Manager, "--operation", e.Operation),
		Does:    "takes these paths out of the entry",
	}
	if e.Operation == managedfields.Apply {
		m.Does += "; take them out of the manifest of " + e.Manager + " first"
	}
	return m
}

func (s *subject) mendStringData(e managedfields.Entry) Mend {
	return Mend{Command: s.ssactl("owners", "--manager", e.Manager),
		Does: "lists what " + e.Manager + " owns; with .data in its manifest in the place of .stringData, its keys are its own"}
}

func (s *subject) mendAnnotation() Mend {
	return Mend{Command: s.kubectl("annotate", LastApplied+"-"),
		Does: "removes the annotation; apply with --server-side from then on, or kubectl writes it again"}
}

func (s *subject) mendDisagreement(rule string, field string) []Mend {
	why := s.mendWhy(field)
	if rule == LastAppliedStale {
		return []Mend{s.mendAnnotation(), why}
	}
	return []Mend{why}
}

// mendServed fetches the object at a version that is served.
func (s *subject) mendServed(apiVersion string) Mend {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return Mend{}
	}
	words := []string{"kubectl", "get", strings.ToLower(s.Target.Kind) + "." + gv.Version + "." + gv.Group, s.Target.Name}
	if s.Target.Namespace != "" {
		words = append(words, "-n", s.Target.Namespace)
	}
	return Mend{Command: shell.Command(append(words, "-o", "yaml", "--show-managed-fields")...), Does: "fetches it as " + apiVersion + ", which manifests should use too"}
}

func (s *subject) mendWhy(field string) Mend {
	return Mend{Command: s.ssactl("why", field), Does: "tells who owns the field, and how each of them gets rid of it"}
}

// mendPorts moves a client-side writer to server-side apply; without one, it
// tells who might become one.
func (s *subject) mendPorts(client *managedfields.Entry, field string) []Mend {
	if client == nil {
		return []Mend{{Command: s.ssactl("owners", "--field", field), Does: "tells who writes the ports; all of them should apply server-side"}}
	}
	return []Mend{{Command: s.ssactl("migrate", "--from", migrate.FromValue(client.Manager)), Does: "moves the object to server-side apply, which tells the ports apart"}}
}

// mendManifest looks closer at what applying a manifest gave.
func (s *subject) mendManifest(verb, does string, r report.Result) Mend {
	words := []string{"ssactl", verb, "-f", r.Source.File}
	if s.Kustomization != "" {
		words = []string{"ssactl", verb, "-k", s.Kustomization}
	}
	if r.LiveSource != nil {
		words = append(words, "--live", r.LiveSource.File)
	}
	words = append(words, "--field-manager", r.Manager)
	return Mend{Command: shell.Command(append(words, s.Flags...)...), Does: does}
}
