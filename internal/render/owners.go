package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/owners"
	"github.com/ssactl/ssactl/internal/report"
)

// OwnersView is a way to show the ownership of objects to people.
type OwnersView string

// The views, in the order of the help text.
const (
	OwnersTable    OwnersView = "table"
	OwnersBlame    OwnersView = "blame"
	OwnersTree     OwnersView = "tree"
	OwnersManagers OwnersView = "managers"
)

// OwnersViews lists the views. The slice is the caller's own.
func OwnersViews() []OwnersView {
	return []OwnersView{OwnersTable, OwnersBlame, OwnersTree, OwnersManagers}
}

// OwnersOptions are those of the ownership views.
type OwnersOptions struct {
	Options
	// View is OwnersTable when empty.
	View OwnersView
	// Filter says which fields are shown.
	Filter owners.Filter
}

// Owners writes the ownership of objects for people: for each a line of
// numbers, what is odd about its entries, and the view of what the filter asks
// for. Quiet leaves the numbers only. Objects are shown in their order; none
// gives nothing. An interrupted run says how far it came.
func Owners(w io.Writer, a OwnersAnswer, o OwnersOptions) error {
	p := newOwnersPrinter(a.Objects, o)
	for i, object := range a.Objects {
		if i > 0 && !o.Quiet {
			p.line("")
		}
		p.object(object)
		if p.err != nil {
			return p.err
		}
		if _, err := io.WriteString(w, p.out.String()); err != nil {
			return err
		}
		p.out.Reset()
	}
	if a.Interrupted == nil {
		return nil
	}
	p.line("")
	i := report.Interruption(*a.Interrupted)
	p.interrupted(&i)
	_, err := io.WriteString(w, p.out.String())
	return err
}

// ownersPrinter is the printer of all views of ownership.
type ownersPrinter struct {
	*printer
	o OwnersOptions
	// styles has one style for each manager of the run.
	styles map[string]style
	// of is the object that is being printed.
	of *owners.Object
}

func newOwnersPrinter(objects []*owners.Object, o OwnersOptions) *ownersPrinter {
	p := &ownersPrinter{printer: newPrinter(o.Options), o: o, styles: map[string]style{}}
	for _, object := range objects {
		for _, name := range object.Managers() {
			if _, ok := p.styles[name]; !ok {
				p.styles[name] = p.managers[len(p.styles)%len(p.managers)]
			}
		}
	}
	return p
}

func (p *ownersPrinter) object(whole *owners.Object) {
	p.of = whole.Select(p.o.Filter)
	p.title(whole)
	if p.o.Quiet {
		return
	}
	p.unreadable()
	if len(whole.Entries) == 0 {
		p.untracked()
		return
	}
	unmatched := p.unmatched(whole)
	if p.nothing() {
		if !unmatched {
			p.paragraph("", "No field is as asked for.")
		}
		return
	}
	if p.o.View != OwnersBlame && len(p.of.Rows()) == 0 {
		p.paragraph("", "The server tracks no owners for this: it belongs to the object's identity, or is the server's own.")
		return
	}
	p.line("")
	switch p.o.View {
	case OwnersBlame:
		p.blame()
	case OwnersTree:
		p.tree()
	case OwnersManagers:
		p.managerTable()
	default:
		p.fieldTable()
	}
}

// title is the name with its numbers, in two lines where one is too narrow.
func (p *ownersPrinter) title(o *owners.Object) {
	name, numbers := ownedName(o), tallies(o)
	if columns(name)+2+columns(numbers) <= p.width {
		p.line(p.bold(name) + ": " + numbers)
		return
	}
	p.line(p.bold(name) + ":")
	p.paragraph("  ", numbers)
}

func ownedName(o *owners.Object) string {
	t := report.Target{APIVersion: o.Target.APIVersion, Kind: o.Target.Kind, Namespace: o.Target.Namespace, Name: o.Target.Name}
	return objectName(t) + where(t)
}

// tallies are the numbers of an object in words.
func tallies(o *owners.Object) string {
	c := o.Counts
	parts := []string{count(c.Owned, "field") + " owned"}
	for _, part := range []struct {
		n    int
		what string
	}{{c.Shared, "shared"}, {c.Unowned, "unowned"}, {c.Stale, "stale"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	return strings.Join(parts, ", ")
}

// untracked says how to get managed fields, where an object has none.
func (p *ownersPrinter) untracked() {
	if p.of.Err != nil {
		p.paragraph("", "No server writes that. The object as it is stored is given by:")
		p.line("  " + getCommand(p.of))
		return
	}
	p.paragraph("", "The object came without managedFields, so that nobody is known to own anything. kubectl leaves them out unless it is told to keep them:")
	p.line("  " + getCommand(p.of))
	p.paragraph("", "Where it has none even so, it was never written with tracking: the first apply makes up the field manager before-first-apply, which owns what is there.")
}

// getCommand reads the object again, with its managed fields.
func getCommand(o *owners.Object) string {
	group, _ := groupVersion(o.Target.APIVersion)
	kind := strings.ToLower(o.Target.Kind)
	if group != "" {
		kind += "." + group
	}
	command := "kubectl get " + yamlString(kind) + " " + yamlString(o.Target.Name)
	if o.Target.Namespace != "" {
		command += " -n " + yamlString(o.Target.Namespace)
	}
	return command + " -o yaml --show-managed-fields"
}

// unreadable tells the entries that the server would not read either.
func (p *ownersPrinter) unreadable() {
	if p.of.Err != nil {
		p.paragraph(p.red("unreadable")+": ", p.of.Err.Error())
	}
	told := false
	for _, e := range p.of.Entries {
		if e.Err == nil {
			continue
		}
		told = true
		name := ""
		if e.Manager != "" {
			name = " of " + e.Manager
		}
		p.hanging(p.red("unreadable")+": ", fmt.Sprintf("metadata.managedFields[%d]%s: %v", e.Index, name, e.Err))
	}
	if told {
		p.paragraph("", "No server writes such entries: the file was edited, or cut. The others are shown.")
	}
}

// hanging is a paragraph whose prefix may be coloured.
func (p *ownersPrinter) hanging(prefix, s string) {
	for i, l := range wrap(visible(s), p.width-14) {
		if i > 0 {
			prefix = "            "
		}
		p.line(prefix + l)
	}
}

// unmatched tells what of the filter the object does not know, and what it
// knows instead.
func (p *ownersPrinter) unmatched(whole *owners.Object) bool {
	u := whole.Unmatched(p.o.Filter)
	for _, m := range u.Managers {
		p.paragraph("", fmt.Sprintf("No entry is of a field manager %q. There are: %s.", m, strings.Join(whole.Managers(), ", ")))
	}
	for _, f := range u.Fields {
		said := fmt.Sprintf("There is no field %s.", f)
		if near := owners.Nearest(f, whole.Names()); near != "" {
			said += fmt.Sprintf(" The nearest is %s.", near)
		}
		p.paragraph("", said)
	}
	for _, f := range p.o.Filter.Fields {
		if in := whole.Enclosing(f); in != nil {
			p.paragraph("", fmt.Sprintf("%s is inside of %s, which is owned as a whole.", f, in.Name))
		}
	}
	return len(u.Managers)+len(u.Fields) > 0
}

func (p *ownersPrinter) nothing() bool {
	return p.of.Root.Context && len(p.of.Root.Fields) == 0 && len(p.of.Stale) == 0
}
