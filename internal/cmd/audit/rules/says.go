package rules

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// fix is a command, and what it does.
func fix(command shell.Line, does text.Text) report.Fix {
	return report.Fix{Command: command, Does: does}
}

// about is a command of ssactl on the file of this object, for this object alone.
func (s *view) about(command shell.Line, flags ...shell.Flag) shell.Line {
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
	return shell.Value("--from", migration.FromValue(e.Manager))
}

// reference is KIND.GROUP/NAME, as commands of ssactl name an object.
func (s *view) reference() string {
	kind := s.kind()
	name := strings.ToLower(kind.Kind)
	if kind.Group != "" {
		name += "." + kind.Group
	}
	return name + "/" + s.Target.Name
}

func (s *view) object() kubectl.Object {
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

// fixOld gives an old entry's fields to the heir, or leaves them unowned where a person
// wrote them: what was done by hand is in no manifest, and the heir's next
// apply would remove it.
func (s *view) fixOld(old, heir managedfields.Entry, care care) []report.Fix {
	give := fix(
		s.about(migrateIt, from(old), shell.Value("--to", heir.Manager)),
		text.New(
			"gives the entry's fields to %v, whose next apply then removes what its manifest does not have",
			text.By(heir.Manager),
		),
	)
	clear := s.fixClear(old)
	if care == byHand {
		return []report.Fix{clear, give}
	}
	return []report.Fix{give, clear}
}

func (s *view) fixClear(e managedfields.Entry) report.Fix {
	return fix(
		s.about(
			clearIt,
			shell.Value("--manager", e.Manager),
			shell.Value("--operation", e.Operation),
			shell.Value("--subresource", e.Subresource),
		),
		text.New("removes the entry of %v; what it alone owned stays, unowned", text.By(e.Manager)),
	)
}

func (s *view) fixWhy(field string) report.Fix {
	return fix(s.about(ownersOf).On(field), text.New("shows who owns the field, and how each of them gets rid of it"))
}

// nameOf names a managed fields entry.
func nameOf(r managedfields.Role) text.Text { return text.Entry(r.Manager, r.Operation, r.Subresource) }

// namesOf names managed fields entries.
func namesOf(list []report.Writer) text.Text {
	var names []text.Text
	for _, w := range list {
		names = append(names, text.Entry(w.Manager, w.Operation, w.Subresource))
	}
	return text.Join(names, ", ")
}

// some names the first of the fields, and counts the others.
func some(fields []string) text.Text {
	if n := len(fields); n > 2 {
		return text.New("%v and %v", text.Path(fields[0]), text.Count(n-1, "more field"))
	}
	return text.Paths(fields, len(fields), len(fields))
}

// value is one of a field.
func value(field string, v any, missing bool) text.Arg {
	if missing {
		return text.Name("none")
	}
	return text.ValueOf(field, v)
}

// quoting is a text that may quote the object; nothing where values may not be reported.
func (s *view) quoting(words string) text.Text {
	if words == "" || !s.quotes() {
		return text.Text{}
	}
	return text.New("%v", text.Said(words))
}

// quotes reports whether values of the object may be reported.
func (s *view) quotes() bool { return !s.secret() || s.Secrets == ShowSecrets }

// mayTell reports whether the values of a field may be reported.
func (s *view) mayTell(field string) bool {
	return s.quotes() || managedfields.ShownOfSecret(field)
}

// fields are the paths of a set as the server writes them, sorted: those of a
// Secret without values.
func (s *view) fields(set *fieldpath.Set) []string {
	var out []string
	set.Iterate(func(p fieldpath.Path) { out = append(out, s.field(p)) })
	slices.Sort(out)
	return slices.Compact(out)
}

func (s *view) field(p fieldpath.Path) string {
	if s.Secrets == HideSecrets && s.secret() {
		return managedfields.FieldOfSecret(p.String())
	}
	return p.String()
}

// them is the pronoun of fields.
func them(fields []string) text.Text { return text.Agree(len(fields), "it", "them") }
