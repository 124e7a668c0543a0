package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/audit"
)

// shownOfBlock is how many findings of a rule a comment tells.
const shownOfBlock = 50

// AuditMarkdown writes a comment for a pull request or an issue: counts first,
// then a fold a rule, open where it fails the run. What is beyond MaxBytes is
// left out from the end, and named.
func AuditMarkdown(w io.Writer, report audit.Report, o AuditOptions) error {
	m := &markdown{printer: newPrinter(o.Options), limit: o.MaxBytes}
	var blocks []block
	for _, p := range report.Problems {
		blocks = append(blocks, m.problem(p))
	}
	rest := report.Findings
	for _, r := range report.Rules {
		blocks = append(blocks, m.auditBlock(r, rest[:r.Findings], o))
		rest = rest[r.Findings:]
	}
	_, err := io.WriteString(w, m.fit(m.auditHeadline(report), blocks))
	return err
}

func (m *markdown) auditHeadline(report audit.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## Ownership audit: %s\n", newPrinter(Options{}).auditSentence(report))
	if len(report.Rules) > 0 {
		b.WriteString("\n| Severity | Rule | Findings |\n|---|---|---:|\n")
	}
	for _, r := range report.Rules {
		fmt.Fprintf(&b, "| %s | %s | %d |\n", r.Severity, mdCode(r.Rule), r.Findings)
	}
	for _, i := range report.IdleSuppressions {
		fmt.Fprintf(&b, "\nSuppression without effect, %s: %s %s\n", mdCode(place(&i.Suppression.Source)), mdProse(suppressionText(i.Suppression)), mdProse(i.Why))
	}
	return b.String()
}

// auditBlock is a rule with its findings.
func (m *markdown) auditBlock(r audit.RuleCount, list []audit.Finding, o AuditOptions) block {
	open := ""
	if o.fails(r.Severity) {
		open = " open"
	}
	title := fmt.Sprintf("%s: %s, %s", r.Severity, mdCode(r.Rule), count(r.Findings, "finding"))
	b := block{name: r.Rule, short: "\n" + title + "\n"}
	var out strings.Builder
	fmt.Fprintf(&out, "\n<details%s><summary>%s</summary>\n\n%s\n\n", open, title, mdProse(r.Title+" "+list[0].Why))
	for i, f := range list {
		if i == shownOfBlock && !o.Verbose {
			fmt.Fprintf(&out, "\n… and %s of this rule.\n", count(len(list)-i, "more finding"))
			break
		}
		out.WriteString(auditItem(f))
	}
	out.WriteString("\n</details>\n")
	b.full = out.String()
	return b
}

func auditItem(f audit.Finding) string {
	var b strings.Builder
	at := place(&f.Source)
	if f.Target.Name == "" {
		fmt.Fprintf(&b, "- %s: %s\n", mdCode(at), mdProse(f.Message))
	} else {
		fmt.Fprintf(&b, "- %s%s, %s: %s\n", mdCode(objectName(f.Target)), mdProse(where(f.Target)), mdCode(at), mdProse(f.Message))
	}
	for _, mend := range f.Mend {
		fmt.Fprintf(&b, "  - %s: %s\n", mdProse(mend.Does), mdCode(mend.Command))
	}
	return b.String()
}
