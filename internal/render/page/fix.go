package page

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// Asked is what a printed command is about: the apply of manifests by a manager, of
// all of them or of the objects that it names.
type Asked struct {
	// manifests and live are the flags that name files, reading those that say how they
	// are read.
	manifests, live, reading []shell.Flag
	// Sender says whose requests are simulated.
	Sender  []shell.Flag
	objects Operands
	// namespace is that which kubectl has to be told of one object; empty where its manifest
	// names one: kubectl refuses another. Of all objects, the flag that was given says it.
	namespace            string
	single               bool
	Manager, subresource string
}

// Operands are objects as the operands of a command, with the flag of their namespace where
// it needs one.
type Operands struct {
	In    []shell.Flag
	Names []string
}

// Run is the apply of everything that was asked about.
func (o Options) Run(manager, subresource string) Asked {
	a := Asked{objects: Operands{Names: o.Names}, reading: o.Repeated, Sender: o.Sender, Manager: manager, subresource: subresource}
	a.live = o.LiveInputs()
	for _, f := range o.Inputs {
		if !f.Is("--live") {
			a.manifests = append(a.manifests, f)
		}
	}
	return a
}

// LiveInputs are the flags that name the live objects; nil for none. Those of other objects
// count too: of an autoscaler, or of the release of a client.
func (o Options) LiveInputs() []shell.Flag {
	var out []shell.Flag
	for _, f := range o.Inputs {
		if f.Is("--live") {
			out = append(out, f)
		}
	}
	return out
}

// one is the apply of one object.
func (o Options) one(t report.Target, source report.Source, live *report.Source, manager string) Asked {
	a := Asked{objects: Operands{Names: o.Names}, reading: o.Repeated, Sender: o.Sender, single: true, Manager: manager, subresource: t.Subresource}
	if t.Namespace == defaultNamespace && !slices.ContainsFunc(o.Repeated, isFlag("-n")) || slices.Contains(o.Repeated, shell.Value("-n", t.Namespace)) {
		// The manifest may name none: any other namespace is its own.
		a.namespace = t.Namespace
	}
	if source.File != "" && !o.Built {
		a.manifests = []shell.Flag{shell.File("-f", source.File)}
	}
	file := o.LiveFile
	if live != nil && file == "" {
		file = live.File
	}
	if a.live = o.LiveInputs(); a.live == nil && file != "" {
		a.live = []shell.Flag{shell.File("--live", file)}
	}
	if o.Several {
		a.objects = OperandsOf([]report.Target{t}, o.Repeated)[0]
	}
	return a
}

// OnResult is the apply of the object of a result.
func (o Options) OnResult(r report.Result) Asked {
	return o.one(r.Target, r.Source, r.LiveSource, r.Manager)
}

// Of is the apply of some of the objects.
func (a Asked) Of(objects Operands) Asked {
	a.objects = objects
	return a
}

// Commands of ours on manifests.
var (
	explainIt = shell.Command("ssactl", "explain")
	resolveIt = shell.Command("ssactl", "resolve")
	migrateIt = shell.Command("ssactl", "migrate")
)

// On is a command of ours on the manifests and their live objects.
func (a Asked) On(command shell.Line) shell.Line {
	command = command.With(a.manifests...).With(a.live...).With(a.reading...).With(a.objects.In...)
	if a.subresource != "" {
		command = command.With(shell.Value("--subresource", a.subresource))
	}
	return command.On(a.objects.Names...)
}

// As is the apply by another field manager.
func (a Asked) As(manager string) Asked {
	a.Manager = manager
	return a
}

// Apply is the command that previews the apply.
func (a Asked) Apply() string {
	return a.On(shell.Command("ssactl", "apply")).With(a.Sender...).With(shell.Value("--field-manager", a.Manager)).String()
}

// Explain is the command that simulates each option.
func (a Asked) Explain() string {
	return a.On(explainIt).With(a.Sender...).With(shell.Value("--field-manager", a.Manager)).String()
}

// Resolve is the command that edits the manifests. What is built, or comes from standard
// input, is in no file: of that it prints the diff.
func (a Asked) Resolve(edits ...shell.Flag) string {
	line := a.On(resolveIt).With(a.Sender...).With(shell.Value("--field-manager", a.Manager)).With(edits...)
	if len(a.manifests) > 0 && !slices.ContainsFunc(a.manifests, shell.Flag.Stream) {
		line = line.With(shell.Switch("--write"))
	}
	return line.String()
}

// Migrate is the command that hands objects over from managers.
func (a Asked) Migrate(from ...string) string {
	line := a.On(migrateIt)
	for _, name := range from {
		line = line.With(shell.Value("--from", migration.FromValue(name)))
	}
	return line.With(shell.Value("--to", a.Manager)).String()
}

// Force is the command that applies with force, to the files of the manifests; empty
// where a client of its own applies, and where the files have other objects too.
func (a Asked) Force() string {
	if client := conflict.ClientOf(a.Manager); client != "" && client != report.Kubectl || a.objects.Names != nil || a.manifests == nil && !slices.ContainsFunc(a.reading, isFlag("-k")) {
		return ""
	}
	line := shell.Command("kubectl", "apply", "--server-side", "--force-conflicts").With(shell.Value("--field-manager", a.Manager)).With(a.manifests...)
	if a.subresource != "" {
		line = line.With(shell.Value("--subresource", a.subresource))
	}
	for _, f := range a.reading {
		switch {
		case f.Is("-n"):
			if !a.single {
				line = line.With(f.As("--namespace"))
			}
		case f.Is("-R"), f.Is("-k"), f.Is("-l"):
			line = line.With(f)
		}
	}
	if a.namespace != "" {
		line = line.With(shell.Value("--namespace", a.namespace))
	}
	return line.String()
}

// defaultNamespace is that of documents without one, where no flag says another.
const defaultNamespace = "default"

func isFlag(name string) func(shell.Flag) bool {
	return func(f shell.Flag) bool { return f.Is(name) }
}

// OperandsOf are objects as operands of our commands, those of each namespace together:
// its flag is needed where there is none among the flags.
func OperandsOf(targets []report.Target, flags []shell.Flag) []Operands {
	targets = slices.Clone(targets)
	slices.SortStableFunc(targets, func(a, b report.Target) int { return cmp.Compare(a.Namespace, b.Namespace) })
	var out []Operands
	for i, t := range targets {
		if i == 0 || t.Namespace != targets[i-1].Namespace {
			var one Operands
			if f := shell.Value("-n", t.Namespace); t.Namespace != "" && !slices.Contains(flags, f) {
				one.In = []shell.Flag{f}
			}
			out = append(out, one)
		}
		last := &out[len(out)-1]
		last.Names = append(last.Names, words.Object(t))
	}
	return out
}

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
func (e Edits) Commands(a Asked, kind conflict.ResolutionKind) []string {
	if e.Many {
		return nil
	}
	var out []string
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
