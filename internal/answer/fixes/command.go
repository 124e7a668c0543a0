package fixes

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/migration"
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
	single, unwritten    bool
	Manager, subresource string
}

// Operands are objects as the operands of a command, with the flag of their namespace where
// it needs one.
type Operands struct {
	In    []shell.Flag
	Names []string
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
	if a.unwritten {
		return shell.Line{}
	}
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
func (a Asked) Apply() shell.Line {
	return a.On(shell.Command("ssactl", "apply")).With(a.Sender...).With(shell.Value("--field-manager", a.Manager))
}

// Explain is the command that simulates each option.
func (a Asked) Explain() shell.Line {
	return a.On(explainIt).With(a.Sender...).With(shell.Value("--field-manager", a.Manager))
}

// Resolve is the command that edits the manifests. What is built, or comes from standard
// input, is in no file: of that it prints the diff.
func (a Asked) Resolve(edits ...shell.Flag) shell.Line {
	line := a.On(resolveIt).With(a.Sender...).With(shell.Value("--field-manager", a.Manager)).With(edits...)
	if len(a.manifests) > 0 && !slices.ContainsFunc(a.manifests, shell.Flag.Stream) {
		line = line.With(shell.Switch("--write"))
	}
	return line
}

// Migrate is the command that hands objects over from managers.
func (a Asked) Migrate(from ...string) shell.Line {
	line := a.On(migrateIt)
	for _, name := range from {
		line = line.With(shell.Value("--from", migration.FromValue(name)))
	}
	return line.With(shell.Value("--to", a.Manager))
}

// MigrateLeftover is the command that hands objects over from managers, with what they
// left that the manifests lack.
func (a Asked) MigrateLeftover(from ...string) shell.Line {
	return a.Migrate(from...).With(shell.Value("--claim", string(migration.ClaimLeftover)))
}

// Impact is the command that shows all that a change of a definition does; none where definitions are not in
// files, as it reads them twice.
func (a Asked) Impact(of report.Target) shell.Line {
	files := slices.Concat(a.manifests, a.live)
	if a.unwritten || len(a.manifests) == 0 || len(a.live) == 0 || slices.ContainsFunc(files, shell.Flag.Stream) {
		return shell.Line{}
	}
	line := shell.Command("ssactl", "schema", "impact")
	for _, f := range a.live {
		line = line.With(f.As("--old"))
	}
	for _, f := range a.manifests {
		line = line.With(f.As("--new"))
	}
	line = line.With(a.live...)
	for _, f := range a.reading {
		if f.Is("-R") || f.Is("--kubernetes-version") {
			line = line.With(f)
		}
	}
	return line.On(of.Reference())
}

// Force is the command that applies with force, to the files of the manifests; empty
// where a client of its own applies, and where the files have other objects too.
func (a Asked) Force() shell.Line {
	if client := conflict.ClientOf(a.Manager); client != "" && client != report.Kubectl || a.objects.Names != nil ||
		a.manifests == nil && !slices.ContainsFunc(a.reading, isFlag("-k")) {
		return shell.Line{}
	}
	line := shell.Command("kubectl", "apply", "--server-side", "--force-conflicts").
		With(shell.Value("--field-manager", a.Manager)).
		With(a.manifests...)
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
	return line
}

// Forced is the command that applies a file or a folder with force; the namespace is that
// which kubectl has to be told.
func Forced(from shell.Flag, namespace, manager, subresource string) shell.Line {
	return Asked{manifests: []shell.Flag{from}, namespace: namespace, Manager: manager, subresource: subresource}.Force()
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
		last.Names = append(last.Names, t.Reference())
	}
	return out
}
