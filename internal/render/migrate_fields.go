package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/report"
)

// migrateFields tells what is won and lost, and the entries.
func (p *printer) migrateFields(m migrate.Migration) {
	if len(m.Won)+len(m.Lost) > 0 {
		p.paragraph("  fields      ", fieldNumbers(m))
	}
	before, after := entryWords(m.Before, m.Target.APIVersion), entryWords(m.After, m.Target.APIVersion)
	p.paragraph("  entries     ", strings.Join(before, ", "))
	p.paragraph("    then      ", strings.Join(after, ", "))
	if p.o.Verbose {
		p.wonAndLost(m)
	}
}

// fieldNumbers counts wins and losses in words.
func fieldNumbers(m migrate.Migration) string {
	kinds := map[migrate.LossKind]int{}
	seen := map[string]bool{}
	for _, l := range m.Lost {
		if key := string(l.Kind) + l.Field; !seen[key] {
			seen[key] = true
			kinds[l.Kind]++
		}
	}
	parts := []string{fmt.Sprintf("%d won", len(m.Won))}
	for _, part := range []struct {
		kind migrate.LossKind
		what string
	}{
		{migrate.Default, "left to nobody, as defaults that the server fills in by itself"},
		{migrate.LeftOver, "left to nobody, though no defaults"},
		{migrate.Unsorted, "left to nobody"},
		{migrate.ToOthers, "left to those who own them too"},
	} {
		if n := kinds[part.kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, part.what))
		}
	}
	return strings.Join(parts, "; ")
}

// entryWords name entries with the number of their fields, and with their API
// version where it is not the object's.
func entryWords(list []migrate.EntrySummary, version string) []string {
	words := []string{}
	for _, e := range list {
		w := e.Writer
		if w.APIVersion == version {
			w.APIVersion = ""
		}
		words = append(words, fmt.Sprintf("%s %d", writer(w), e.Fields))
	}
	if len(words) == 0 {
		return []string{"none"}
	}
	return words
}

// lossWords say what becomes of a lost field.
var lossWords = map[migrate.LossKind]string{
	migrate.ToTarget: "goes over",
	migrate.ToOthers: "others own it too",
	migrate.Default:  "nobody's, a default",
	migrate.LeftOver: "nobody's, and no default",
	migrate.Unsorted: "nobody's",
	migrate.Gone:     "gone from the object",
}

// wonAndLost lists every field.
func (p *printer) wonAndLost(m migrate.Migration) {
	p.line("")
	for _, w := range m.Won {
		from := "nobody's before"
		if len(w.From) > 0 {
			from = "from " + holderNames(w.From)
		}
		p.line("  " + p.green("+ "+visible(w.Field)) + "  " + p.faint(visible(from)))
	}
	for _, l := range m.Lost {
		if l.Kind == migrate.ToTarget {
			continue
		}
		p.line("  " + p.red("- "+visible(l.Field)) + "  " + p.faint(visible(holderNames([]report.Writer{l.By})+": "+lossWords[l.Kind])))
	}
}

var bodyWords = map[migrate.Basis]string{
	migrate.ByManifest:   "the manifest",
	migrate.ByAnnotation: "what the annotation says",
	migrate.ByEntry:      "what it applied last",
}

// nextApplies tells what the next apply does, now and then.
func (p *printer) nextApplies(m migrate.Migration) {
	if m.Next == nil {
		return
	}
	p.line("")
	p.styled("  " + p.bold("When "+visible(m.Next.Manager)+" next applies "+bodyWords[m.Next.Body]))
	p.nextApply("now   ", m.Next.Before)
	p.nextApply("then  ", m.Next.After)
}

// nextApply is one simulated apply: its outcome, and what it does to fields.
func (p *printer) nextApply(label string, n migrate.NextApply) {
	// The generation counts along with whatever else changes.
	changes := slices.DeleteFunc(slices.Clone(n.Changes), func(c report.Change) bool { return c.Field == ".metadata.generation" })
	outcome := strings.ToLower(string(n.Outcome))
	switch {
	case n.Outcome == report.Conflicted:
		outcome = p.red(count(len(n.Conflicts), "conflict"))
	case n.Outcome.Refused():
		outcome = p.red(outcome) + ": " + visible(cut(strings.TrimSpace(firstLine(n.Message)), p.width-20))
	case len(changes) == 0 && n.Outcome == report.Configured:
		outcome = "nothing changes but who owns what"
	case len(changes) == 0:
		outcome = p.green("nothing changes")
	default:
		outcome = p.yellow("1 field changes")
		if len(changes) > 1 {
			outcome = p.yellow(count(len(changes), "field") + " change")
		}
	}
	if len(n.Keeps) > 0 {
		outcome += fmt.Sprintf(", %s", count(len(n.Keeps), "dropped field")+map[bool]string{true: " stays", false: " stay"}[len(n.Keeps) == 1])
	}
	p.styled("    " + label + outcome)
	var lines []string
	for _, c := range n.Conflicts {
		lines = append(lines, p.red("! "+visible(c.Field))+"  "+p.faint("held by "+visible(holderNames([]report.Writer{c.Writer}))))
	}
	for _, c := range changes {
		paint := map[report.ChangeKind]style{report.Added: p.green, report.Modified: p.yellow, report.Removed: p.red}[c.Kind]
		values := changeValues(c, 48)
		if strings.HasSuffix(c.Field, migrate.LastApplied) && c.Kind == report.Modified {
			values = "written anew by the server"
		}
		lines = append(lines, paint(signs[c.Kind]+" "+visible(c.Field))+"  "+values)
	}
	for _, k := range n.Keeps {
		by := "nobody owns it"
		if len(k.By) > 0 {
			by = "kept by " + holderNames(k.By)
		}
		lines = append(lines, "= "+visible(k.Field)+"  "+p.faint(visible(by)))
	}
	p.someLines("          ", lines)
}

// someLines writes lines up to the usual number.
func (p *printer) someLines(indent string, lines []string) {
	for i, l := range lines {
		if i == shownLines && !p.o.Verbose {
			p.line(indent + p.faint(fmt.Sprintf("… %d more; -v shows all", len(lines)-i)))
			return
		}
		p.line(indent + l)
	}
}
