// Package fixes makes the commands that fix what is said of writes: of ssactl, for the
// inputs that it was called with, and of kubectl.
//
//	call.go     how ssactl was called
//	command.go  commands on the manifests and the live objects
//	edits.go    fields of objects that are edited alike
//	caveat.go   what to fetch or to add to the call
package fixes

import (
	"slices"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// Call is how the command was called, for the commands that it prints.
type Call struct {
	// LiveFile is the live file to name in commands; empty leaves them general.
	LiveFile string
	// Repeated are the flags without which a suggested command
	// would answer something else, such as -n and a namespace.
	Repeated []shell.Flag
	// Sender are the flags that say whose requests are simulated.
	Sender []shell.Flag
	// Names are the operands that select objects.
	Names []string
	// Inferred is true where the live objects say who the field manager is.
	Inferred bool
	// Client is what is said of the client behind the field manager; empty for nothing.
	Client string
	// Built is true where Repeated says of what the manifests are built: commands
	// name no file of theirs.
	Built bool
	// Unwritten: the manifests are in no file, such as those of recorded requests. No command of
	// ours reads them.
	Unwritten bool
	// Inputs are the flags that name what was read, for commands on all of it.
	Inputs []shell.Flag
	// Settings rule the answers, and are known before them.
	Settings []report.Setting
}

// asked is an apply of the objects that were named, before it is known which manifests and live
// objects it reads.
func (c Call) asked(manager, subresource string) Asked {
	return Asked{
		objects: Operands{Names: c.Names}, reading: c.Repeated, Sender: c.Sender, Manager: manager,
		subresource: subresource, unwritten: c.Unwritten,
	}
}

// Run is the apply of everything that was asked about.
func (c Call) Run(manager, subresource string) Asked {
	a := c.asked(manager, subresource)
	a.live = c.LiveInputs()
	for _, f := range c.Inputs {
		if !f.Is("--live") {
			a.manifests = append(a.manifests, f)
		}
	}
	return a
}

// LiveInputs are the flags that name the live objects; nil for none. Those of other objects
// count too: of an autoscaler, or of the release of a client.
func (c Call) LiveInputs() []shell.Flag {
	var out []shell.Flag
	for _, f := range c.Inputs {
		if f.Is("--live") {
			out = append(out, f)
		}
	}
	return out
}

// OnObject is the apply of one object, which is one of several or the only one.
func (c Call) OnObject(t report.Target, source report.Source, live *report.Source, manager string, several bool) Asked {
	a := c.asked(manager, t.Subresource)
	a.single = true
	if t.Namespace == defaultNamespace && !slices.ContainsFunc(c.Repeated, isFlag("-n")) ||
		slices.Contains(c.Repeated, shell.Value("-n", t.Namespace)) {
		// The manifest may name none: any other namespace is its own.
		a.namespace = t.Namespace
	}
	if source.File != "" && !c.Built {
		a.manifests = []shell.Flag{shell.File("-f", source.File)}
	}
	file := c.LiveFile
	if live != nil && file == "" {
		file = live.File
	}
	if a.live = c.LiveInputs(); a.live == nil && file != "" {
		a.live = []shell.Flag{shell.File("--live", file)}
	}
	if several {
		a.objects = OperandsOf([]report.Target{t}, c.Repeated)[0]
	}
	return a
}

// HandOver is the command that gives a field of an object to the controller that writes it,
// in the live objects that were read; none without these.
func (c Call) HandOver(from, field string, targets ...report.Target) shell.Line {
	lines := c.HandOvers(from, field, targets)
	if len(lines) != 1 {
		return shell.Line{}
	}
	return lines[0]
}

// HandOvers are those of several objects, a command for each namespace.
func (c Call) HandOvers(from, field string, targets []report.Target) []shell.Line {
	live := c.liveObjects()
	if live == nil {
		return nil
	}
	var out []shell.Line
	for _, objects := range OperandsOf(targets, c.Repeated) {
		line := shell.Command("ssactl", "transfer").With(live...).With(objects.In...).With(shell.Value("--from", from),
			shell.Switch("--to-controller"))
		out = append(out, line.On(objects.Names...).On(field))
	}
	return out
}

// liveObjects are the flags that name the live objects, for commands on these; nil for
// none.
func (c Call) liveObjects() []shell.Flag {
	var out []shell.Flag
	for _, f := range c.LiveInputs() {
		out = append(out, f.As("-f"))
	}
	if out == nil {
		return nil
	}
	return append(out, slices.DeleteFunc(slices.Clone(c.Repeated), isFlag("-k"))...)
}
