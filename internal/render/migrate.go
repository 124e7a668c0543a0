package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/migrate"
)

// MigrateText writes a plan for people: for each object who becomes whom and
// why, what is won and lost, what the next apply does then, and what is to be
// known. Among several, objects with nothing to migrate are only counted.
func MigrateText(w io.Writer, d migrate.Document, o Options) error {
	p := newPrinter(o)
	several := d.Summary.Total > 1 || d.Interrupted != nil
	told := false
	for _, m := range d.Objects {
		if several && !o.Verbose && m.Verdict == migrate.NothingToDo && len(m.Findings) == 0 {
			continue
		}
		if told && !o.Quiet {
			p.line("")
		}
		p.migration(m)
		told = true
	}
	if several {
		if told {
			p.line("")
		}
		p.migrateSummary(d.Summary)
		p.interrupted(d.Interrupted)
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// MigrateReport writes everything as one JSON document.
func MigrateReport(w io.Writer, d migrate.Document, _ Options) error {
	s, err := encodeJSON(d, "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s+"\n")
	return err
}

// MigrateRemarks is the commentary for formats that show objects or patches
// only: what stands in the way, and what is to be known.
func MigrateRemarks(w io.Writer, d migrate.Document, o Options) error {
	p := newPrinter(o)
	for _, m := range d.Objects {
		stands := m.Verdict == migrate.Blocked || m.Verdict == migrate.Failed
		findings := slices.DeleteFunc(slices.Clone(m.Findings), func(f migrate.Finding) bool {
			return f.Severity == migrate.Notes || f.Severity == migrate.Warns && o.Quiet
		})
		if stands || len(findings) > 0 {
			p.line(p.migrateVerdict(m))
		}
		for _, f := range findings {
			p.finding(f)
		}
	}
	if d.Summary.Total > 1 && !o.Quiet {
		p.migrateSummary(d.Summary)
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// MigrateWithoutPatch tells the objects that patches leave out, and why.
func MigrateWithoutPatch(w io.Writer, d migrate.Document, o Options) error {
	p := newPrinter(o)
	for _, m := range d.Objects {
		if m.NoPatch != "" {
			p.line(p.red("error:") + " " + objectName(m.Target) + where(m.Target) + ": no patch: " + visible(m.NoPatch))
		}
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

func (p *printer) migration(m migrate.Migration) {
	p.line(p.migrateVerdict(m))
	if p.o.Quiet {
		return
	}
	if m.Verdict == migrate.Migrates {
		p.migrateWho(m)
		p.migrateFields(m)
		p.nextApplies(m)
	} else {
		p.beliefs(m)
	}
	for i, f := range m.Findings {
		if i == 0 {
			p.line("")
		}
		p.finding(f)
	}
}

// migrateVerdict is the answer for one object in one line.
func (p *printer) migrateVerdict(m migrate.Migration) string {
	line := p.bold(objectName(m.Target)) + where(m.Target) + ": "
	switch m.Verdict {
	case migrate.Failed:
		return line + p.red("failed") + ": " + visible(m.Error)
	case migrate.Blocked:
		line += p.red("blocked") + blockedBy(m)
		if at := documentPlace(m.Source); at != "" {
			line += "  " + p.faint(at)
		}
		return line
	case migrate.NothingToDo:
		return line + "nothing to migrate"
	}
	if from := migratedFrom(m); len(from) > 0 {
		return line + p.yellow(visible(strings.Join(from, ", "))+map[bool]string{true: " becomes ", false: " become "}[len(from) == 1]+visible(becomes(m)))
	}
	return line + p.yellow(map[bool]string{true: "the annotation becomes " + visible(becomes(m)), false: "the annotation is dropped"}[len(m.Won) > 0])
}

func becomes(m migrate.Migration) string {
	operation := "Apply"
	if m.Annotation.Fate == migrate.Written {
		operation = "Update"
	}
	return m.To.Manager + " (" + operation + ")"
}

func blockedBy(m migrate.Migration) string {
	var rules []string
	for _, f := range m.Findings {
		if f.Severity == migrate.Blocks && !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	if len(rules) == 0 {
		return ""
	}
	return ": " + strings.Join(rules, ", ")
}

// migratedFrom are the managers of migrated entries, each once.
func migratedFrom(m migrate.Migration) []string {
	var names []string
	for _, b := range m.Beliefs {
		if b.Migrated && !slices.Contains(names, b.Manager) {
			names = append(names, b.Manager)
		}
	}
	return names
}

// migrateWho tells who gets the fields and whose they are, with the reasons.
func (p *printer) migrateWho(m migrate.Migration) {
	p.paragraph("  to          ", m.To.Manager+": "+m.To.Reason)
	p.beliefs(m)
	if m.Annotation.Fate != migrate.Absent {
		text := strings.ToLower(string(m.Annotation.Fate))
		if m.Annotation.Reason != "" {
			text += ": " + m.Annotation.Reason
		}
		p.paragraph("  annotation  ", text)
	}
}

func (p *printer) beliefs(m migrate.Migration) {
	for _, b := range m.Beliefs {
		label := "  left alone  "
		if b.Migrated {
			label = "  from        "
		} else if b.Strength == migrate.Unrelated && !p.o.Verbose {
			continue
		}
		p.paragraph(label, writer(b.Writer)+", "+since(b.Time, p.o.Now)+"; "+strings.ToLower(string(b.Strength))+": "+strings.Join(b.Reasons, "; "))
	}
}

// finding is one remark, with what to do about it.
func (p *printer) finding(f migrate.Finding) {
	label, paint := map[migrate.Severity]string{migrate.Blocks: "blocks", migrate.Warns: "warning", migrate.Notes: "note"}[f.Severity], p.faint
	switch f.Severity {
	case migrate.Blocks:
		paint = p.red
	case migrate.Warns:
		paint = p.yellow
	}
	text := f.Rule + ": "
	if f.Field != "" {
		text += f.Field + ": "
	}
	text += f.Message
	if f.Hint != "" {
		text += " (" + f.Hint + ")"
	}
	for i, l := range wrap(visible(text), p.width-2-len(label)-2) {
		if i == 0 {
			p.line("  " + paint(label+":") + " " + l)
			continue
		}
		p.line("    " + l)
	}
}

// migrateSummary counts a run of several objects.
func (p *printer) migrateSummary(s migrate.Summary) {
	var parts []string
	for _, part := range []struct {
		n     int
		what  string
		paint style
	}{{s.Migrates, "to migrate", p.yellow}, {s.NothingToDo, "with nothing to migrate", p.faint}, {s.Blocked, "blocked", p.red}, {s.Failed, "failed", p.red}} {
		if part.n > 0 {
			parts = append(parts, part.paint(fmt.Sprintf("%d %s", part.n, part.what)))
		}
	}
	p.styled(totals(p.bold(count(s.Total, "object")), parts))
	if len(s.Managers) > 0 {
		p.paragraph("  from        ", managerCounts(s.Managers))
	}
	if len(s.Targets) > 0 {
		p.paragraph("  to          ", managerCounts(s.Targets))
	}
	if s.ConflictingBefore+s.ConflictingAfter > 0 {
		p.paragraph("  conflicts   ", fmt.Sprintf("in the next apply: %s now, %d after the migration", count(s.ConflictingBefore, "object"), s.ConflictingAfter))
	}
	for _, severity := range []struct {
		is    migrate.Severity
		label string
	}{{migrate.Blocks, "  blocked by  "}, {migrate.Warns, "  warnings    "}, {migrate.Notes, "  notes       "}} {
		if rules := ruleCounts(s.Rules, severity.is); rules != "" {
			p.paragraph(severity.label, rules)
		}
	}
}

func ruleCounts(list []migrate.RuleCount, severity migrate.Severity) string {
	var parts []string
	for _, r := range list {
		if r.Severity == severity {
			parts = append(parts, fmt.Sprintf("%s %d", r.Rule, r.Objects))
		}
	}
	return strings.Join(parts, ", ")
}

func managerCounts(list []migrate.ManagerCount) string {
	var parts []string
	for _, c := range list {
		parts = append(parts, fmt.Sprintf("%s %d", c.Manager, c.Objects))
	}
	return strings.Join(parts, ", ")
}
