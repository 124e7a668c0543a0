package render

import (
	"fmt"
	"slices"
	"time"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/report"
)

// overview tells what several objects have in common: the conflicts by field
// manager, the managers, and what was not simulated.
func (p *printer) overview(e Ending) {
	o := e.Report.Overview
	if o == nil {
		return
	}
	if groupsTell(e.Report.Summary) {
		p.conflictGroups(*o)
	}
	p.managersMet(o.Managers)
	total := e.Report.Summary.Total
	if total > ManyObjects {
		p.notes("Caution", aboutInputs(o.Notes), total)
	}
	if !p.o.Verbose {
		p.notes("Not simulated", aboutServer(o.Notes), total)
	}
	if e.Timings != nil {
		p.timings(*e.Timings)
	}
}

// groupsTell tells whether groups of conflicts say more than the conflicts
// themselves.
func groupsTell(s report.Summary) bool { return s.Conflicted > 1 }

// shownGroups is how many lines of each list are shown unless all are asked
// for.
const shownGroups = 15

// conflictGroups lists the fields that each manager holds.
func (p *printer) conflictGroups(o report.Overview) {
	if len(o.Conflicts) == 0 {
		return
	}
	p.heading("Conflicts by field manager")
	shown := 0
	for _, list := range byHolder(o.Conflicts) {
		if shown >= shownGroups && !p.o.Verbose {
			break
		}
		w := holderOf(list[0])
		who := transferWho(report.Transfer{Manager: w.Manager, Operation: w.Operation, Subresource: w.Subresource})
		if c := explain.CharacterOf(w, ""); c.Name != "" {
			who += ", " + characterText(c)
		}
		p.paragraph("  ", who)
		for _, g := range list {
			if shown++; shown > shownGroups && !p.o.Verbose {
				break
			}
			p.groupLine(g)
		}
	}
	if rest := len(o.Conflicts) - shownGroups; rest > 0 && !p.o.Verbose {
		p.line(p.faint(fmt.Sprintf("  … %d more; -v shows all", rest)))
	}
	if o.Left > 0 {
		p.line(p.faint(fmt.Sprintf("  … and %s of other fields", count(o.Left, "conflict"))))
	}
}

// groupLine is a field with the objects that have it.
func (p *printer) groupLine(g report.ConflictGroup) {
	field, objects := cut(visible(g.Field), p.width-6), groupObjects(g)
	if 4+columns(field)+2+columns(objects) <= p.width {
		p.line("    " + p.bold(field) + "  " + objects)
		return
	}
	p.line("    " + p.bold(field))
	p.line("      " + objects)
}

// groupObjects counts the objects of a group by their kind, and names the one
// where there is one only.
func groupObjects(g report.ConflictGroup) string {
	if g.Objects == 1 {
		return objectName(g.First) + where(g.First)
	}
	s := fmt.Sprintf("%d %s", g.Objects, visible(plural(g.Kind)))
	if g.Fields > g.Objects {
		s += fmt.Sprintf(" (%d fields)", g.Fields)
	}
	return s
}

func holderOf(g report.ConflictGroup) report.Writer {
	return report.Writer{Manager: g.Manager, Operation: g.Operation, Subresource: g.Subresource}
}

// byHolder puts the groups of one holder together, in their order.
func byHolder(groups []report.ConflictGroup) [][]report.ConflictGroup {
	at := map[report.Writer]int{}
	var out [][]report.ConflictGroup
	for _, g := range groups {
		i, known := at[holderOf(g)]
		if !known {
			i = len(out)
			at[holderOf(g)] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], g)
	}
	return out
}

// managersMet lists who owns something after the run.
func (p *printer) managersMet(managers []report.ManagerCount) {
	if len(managers) == 0 {
		return
	}
	p.heading("Field managers")
	names := make([]string, len(managers))
	longest := 0
	for i, m := range managers {
		names[i] = cut(visible(transferWho(report.Transfer{Manager: m.Manager, Operation: m.Operation, Subresource: m.Subresource})), p.width-18)
		if i < shownGroups || p.o.Verbose {
			longest = max(longest, columns(names[i]))
		}
	}
	for i, m := range managers {
		if i == shownGroups && !p.o.Verbose {
			p.line(p.faint(fmt.Sprintf("  … %d more; -v shows all", len(managers)-i)))
			return
		}
		p.line("  " + pad(names[i], longest) + "  in " + count(m.Objects, "object"))
	}
}

// notes tells once what holds for many objects.
func (p *printer) notes(title string, notes []report.NoteCount, total int) {
	if len(notes) == 0 {
		return
	}
	p.heading(title)
	for i, n := range notes {
		if i == shownGroups {
			p.line(p.faint(fmt.Sprintf("  … %d more; -v shows all", len(notes)-i)))
			return
		}
		p.paragraph("  - ", noteText(n, total))
	}
}

// noteText is a note with how many objects it is about.
func noteText(n report.NoteCount, total int) string {
	if n.Objects == total {
		return n.Note
	}
	return fmt.Sprintf("%s (in %d of %s)", n.Note, n.Objects, count(total, "object"))
}

// aboutInputs are the notes about which something can be done.
func aboutInputs(notes []report.NoteCount) []report.NoteCount {
	return slices.DeleteFunc(slices.Clone(notes), func(n report.NoteCount) bool { return n.Rule == "" })
}

// aboutServer are the others.
func aboutServer(notes []report.NoteCount) []report.NoteCount {
	return slices.DeleteFunc(slices.Clone(notes), func(n report.NoteCount) bool { return n.Rule != "" })
}

// timings tells which objects cost most.
func (p *printer) timings(t Timings) {
	p.heading("Slowest objects")
	for _, o := range t.Slowest {
		p.line(fmt.Sprintf("  %9s  %s", o.Took.Round(10*time.Microsecond), objectName(o.Target)+where(o.Target)))
	}
	p.heading("Largest objects (manifest and live object)")
	for _, o := range t.Largest {
		p.line(fmt.Sprintf("  %9s  %s", sizeText(o.Bytes), objectName(o.Target)+where(o.Target)))
	}
}

// sizeText is a number of bytes in the unit that fits.
func sizeText(n int) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d B", n)
	case n < 10_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// unmatched lists the live objects that no manifest names.
func (p *printer) unmatched(targets []report.Target) {
	if len(targets) == 0 {
		return
	}
	p.heading("Live objects that no manifest names")
	for _, t := range targets {
		p.line("  " + objectName(t) + where(t))
	}
}
