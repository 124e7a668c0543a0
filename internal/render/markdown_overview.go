package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// overview tells above the details what several objects have in common, in at
// most so many bytes.
func (m *comment) overview(doc report.Report, room int) string {
	o, s := doc.Overview, doc.Summary
	if o == nil || s.Total < 2 {
		return ""
	}
	var b strings.Builder
	add := func(text string) bool {
		fits := b.Len()+len(text) <= room
		if fits {
			b.WriteString(text)
		}
		return fits
	}
	if groupsTell(s) {
		m.conflictTable(*o, add)
	}
	if who := m.managersMet(o.Managers); who != "" {
		add("\n" + who + "\n")
	}
	if n := s.Unmatched; n != nil && *n > 0 {
		add("\n" + count(*n, "live object") + " that no manifest names.\n")
	}
	return b.String()
}

// conflictTable has a row for each group of conflicts.
func (m *comment) conflictTable(o report.Overview, add func(string) bool) {
	if len(o.Conflicts) == 0 || !add("\n| Held by | Field | In |\n|---|---|---|\n") {
		return
	}
	for i, g := range o.Conflicts {
		who := mdCode(transferWho(report.Transfer{Manager: g.Manager, Operation: g.Operation, Subresource: g.Subresource}))
		row := fmt.Sprintf("| %s | %s | %s |\n", who, mdCode(cut(g.Field, 200)), mdProse(groupObjects(g)))
		if i == shownGroups || !add(row) {
			add(fmt.Sprintf("\n… and %d more groups of conflicts.\n", len(o.Conflicts)-i))
			return
		}
	}
}

// managersMet is a sentence on who owns something after the run.
func (m *comment) managersMet(managers []report.ManagerCount) string {
	var parts []string
	for i, c := range managers {
		if i == shownGroups {
			parts = append(parts, fmt.Sprintf("%d more", len(managers)-i))
			break
		}
		who := transferWho(report.Transfer{Manager: c.Manager, Operation: c.Operation, Subresource: c.Subresource})
		parts = append(parts, fmt.Sprintf("%s in %d", mdCode(who), c.Objects))
	}
	if parts == nil {
		return ""
	}
	return "Field managers, and in how many objects: " + strings.Join(parts, ", ") + "."
}
