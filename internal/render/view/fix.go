package view

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// asked is what a printed command is about: the apply of manifests by a manager, of
// all of them or of the objects that it names.
type asked struct {
	// manifests and live are the flags that name files, reading those that say how they
	// are read.
	manifests, live, reading []shell.Flag
	// sender says whose requests are simulated.
	sender  []shell.Flag
	objects operands
	// namespace is that of the objects for kubectl, which has no other default than its
	// own; empty where the manifests have one each.
	namespace            string
	manager, subresource string
}

// operands are objects as the operands of a command, with the flag of their namespace where
// it needs one.
type operands struct {
	in    []shell.Flag
	names []string
}

// run is the apply of everything that was asked about.
func (o Options) run(manager, subresource string) asked {
	a := asked{objects: operands{names: o.Names}, reading: o.Repeated, sender: o.Sender, manager: manager, subresource: subresource}
	for _, f := range o.Inputs {
		if f.Is("--live") {
			a.live = append(a.live, f)
		} else {
			a.manifests = append(a.manifests, f)
		}
	}
	return a
}

// one is the apply of one object.
func (o Options) one(t report.Target, source report.Source, live *report.Source, manager string) asked {
	a := asked{objects: operands{names: o.Names}, reading: o.Repeated, sender: o.Sender, namespace: t.Namespace, manager: manager, subresource: t.Subresource}
	if source.File != "" && !o.Built {
		a.manifests = []shell.Flag{shell.File("-f", source.File)}
	}
	file := o.LiveFile
	if live != nil && file == "" {
		file = live.File
	}
	if file != "" {
		a.live = []shell.Flag{shell.File("--live", file)}
	}
	if o.Several {
		a.objects = operandsOf([]report.Target{t}, o.Repeated)[0]
	}
	return a
}

// onResult is the apply of the object of a result.
func (o Options) onResult(r report.Result) asked {
	return o.one(r.Target, r.Source, r.LiveSource, r.Manager)
}

// of is the apply of some of the objects.
func (a asked) of(objects operands) asked {
	a.objects = objects
	return a
}

// Commands of ours on manifests.
var (
	explainIt = shell.Command("ssactl", "explain")
	resolveIt = shell.Command("ssactl", "resolve")
	migrateIt = shell.Command("ssactl", "migrate")
)

// on is a command of ours on the manifests and their live objects.
func (a asked) on(command shell.Line) shell.Line {
	command = command.With(a.manifests...).With(a.live...).With(a.reading...).With(a.objects.in...)
	if a.subresource != "" {
		command = command.With(shell.Value("--subresource", a.subresource))
	}
	return command.On(a.objects.names...)
}

// explain is the command that simulates each option.
func (a asked) explain() string {
	return a.on(explainIt).With(a.sender...).With(shell.Value("--field-manager", a.manager)).String()
}

// resolve is the command that edits the manifests. What is built, or comes from standard
// input, is in no file: of that it prints the diff.
func (a asked) resolve(edits ...shell.Flag) string {
	line := a.on(resolveIt).With(a.sender...).With(shell.Value("--field-manager", a.manager)).With(edits...)
	if len(a.manifests) > 0 && !slices.ContainsFunc(a.manifests, shell.Flag.Stream) {
		line = line.With(shell.Switch("--write"))
	}
	return line.String()
}

// migrate is the command that hands objects over from managers.
func (a asked) migrate(from ...string) string {
	line := a.on(migrateIt)
	for _, name := range from {
		line = line.With(shell.Value("--from", migrate.FromValue(name)))
	}
	return line.With(shell.Value("--to", a.manager)).String()
}

// force is the command that applies with force, to the files of the manifests; empty
// where a client of its own applies, and where the files have other objects too.
func (a asked) force() string {
	if client := explain.ClientOf(a.manager); client != "" && client != report.Kubectl || a.objects.names != nil || a.manifests == nil && !slices.ContainsFunc(a.reading, isFlag("-k")) {
		return ""
	}
	line := shell.Command("kubectl", "apply", "--server-side", "--force-conflicts").With(shell.Value("--field-manager", a.manager)).With(a.manifests...)
	if a.subresource != "" {
		line = line.With(shell.Value("--subresource", a.subresource))
	}
	for _, f := range a.reading {
		switch {
		case f.Is("-n"):
			line = line.With(f.As("--namespace"))
		case f.Is("-R"), f.Is("-k"), f.Is("-l"):
			line = line.With(f)
		}
	}
	if a.namespace != "" && !slices.ContainsFunc(a.reading, isFlag("-n")) {
		line = line.With(shell.Value("--namespace", a.namespace))
	}
	return line.String()
}

func isFlag(name string) func(shell.Flag) bool {
	return func(f shell.Flag) bool { return f.Is(name) }
}

// operandsOf are objects as operands of our commands, those of each namespace together:
// its flag is needed where there is none among the flags.
func operandsOf(targets []report.Target, flags []shell.Flag) []operands {
	targets = slices.Clone(targets)
	slices.SortStableFunc(targets, func(a, b report.Target) int { return cmp.Compare(a.Namespace, b.Namespace) })
	var out []operands
	for i, t := range targets {
		if i == 0 || t.Namespace != targets[i-1].Namespace {
			var one operands
			if f := shell.Value("-n", t.Namespace); t.Namespace != "" && !slices.Contains(flags, f) {
				one.in = []shell.Flag{f}
			}
			out = append(out, one)
		}
		last := &out[len(out)-1]
		last.names = append(last.names, words.Object(t))
	}
	return out
}

// maxFields is how many fields a command names at most, and maxObjects how many objects.
const maxFields, maxObjects = 5, 5

// edits are fields of objects that are edited alike.
type edits struct {
	list []edit
	// many: there are more than commands can name.
	many bool
}

type edit struct {
	target report.Target
	fields []string
}

func (e *edits) add(t report.Target, field string) {
	if n := len(e.list); n == 0 || e.list[n-1].target != t {
		if n == maxObjects {
			e.many = true
			return
		}
		e.list = append(e.list, edit{target: t})
	}
	last := &e.list[len(e.list)-1]
	switch {
	case slices.Contains(last.fields, field):
	case len(last.fields) == maxFields:
		e.many = true
	default:
		last.fields = append(last.fields, field)
	}
}

// commands edit these fields of these objects, and nothing else: a command for those
// that have the same fields, in each namespace. There are none where there are too many.
func (e edits) commands(a asked, kind explain.ResolutionKind) []string {
	if e.many {
		return nil
	}
	var out []string
	left := slices.Clone(e.list)
	for len(left) > 0 {
		first := left[0]
		var targets []report.Target
		left = slices.DeleteFunc(left, func(one edit) bool {
			same := slices.Equal(one.fields, first.fields)
			if same {
				targets = append(targets, one.target)
			}
			return same
		})
		for _, objects := range operandsOf(targets, a.reading) {
			out = append(out, a.of(objects).resolve(resolving(kind, first.fields)...))
		}
	}
	return out
}

// resolving are the flags of resolve that do an option with fields; none for an option
// that edits no manifest.
func resolving(kind explain.ResolutionKind, fields []string) []shell.Flag {
	var out []shell.Flag
	for _, field := range fields {
		switch kind {
		case explain.StopManaging:
			out = append(out, shell.Value("--stop-managing", field))
		case explain.UseLiveValue:
			out = append(out, shell.Value("--use-live-value", field))
		}
	}
	return out
}

// resolvingAll is the flag of resolve that does an option with all conflicting fields
// that other flags leave; none for an option that edits no manifest.
func resolvingAll(kind explain.ResolutionKind) []shell.Flag {
	switch kind {
	case explain.StopManaging:
		return []shell.Flag{shell.Switch("--all-stop-managing")}
	case explain.UseLiveValue:
		return []shell.Flag{shell.Switch("--all-use-live-value")}
	}
	return nil
}
