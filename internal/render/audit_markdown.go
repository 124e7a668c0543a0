package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/audit"
)

// How many findings of a rule a comment tells: where there is room, and where
// there is little.
const (
	shownOfBlock = 50
	shownInShort = 3
)

// AuditMarkdown writes a comment for a pull request or an issue: counts first,
// then a fold a rule, open where it fails the run. What is beyond MaxBytes is
// left out from the end, and named.
func AuditMarkdown(w io.Writer, report audit.Report, o AuditOptions) error {
	m := &comment{printer: newPrinter(o.Options), limit: o.MaxBytes}
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

func (m *comment) auditHeadline(report audit.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## Ownership audit: %s\n", newPrinter(Options{}).auditSentence(report))
	if report.Interrupted != nil {
		fmt.Fprintf(&b, "\n**%s**\n", interruptedText(*report.Interrupted))
	}
	if len(report.Rules) > 0 {
		b.WriteString("\n| Severity | Rule | Findings |\n|---|---|---:|\n")
	}
	for _, r := range report.Rules {
		fmt.Fprintf(&b, "| %s | %s | %d |\n", r.Severity, mdCode(r.Rule), r.Findings)
	}
	for _, i := range report.IdleSuppressions {
		fmt.Fprintf(&b, "\nSuppression without effect: %s\n", mdCode(idleText(i)))
	}
	return b.String()
}

// auditBlock is a rule with its findings.
func (m *comment) auditBlock(r audit.RuleCount, list []audit.Finding, o AuditOptions) block {
	most := shownOfBlock
	if o.Verbose {
		most = len(list)
	}
	return block{
		name:  r.Rule,
		full:  auditFold(r, list, most, o.fails(r.Severity)),
		short: auditFold(r, list, shownInShort, o.fails(r.Severity)),
	}
}

// auditFold tells at most so many findings, unfolded where they fail the run.
func auditFold(r audit.RuleCount, list []audit.Finding, most int, fails bool) string {
	var b strings.Builder
	open := ""
	if fails {
		open = " open"
	}
	fmt.Fprintf(&b, "\n<details%s><summary>%s: %s, %s</summary>\n\n%s\n\n",
		open, r.Severity, mdCode(r.Rule), count(r.Findings, "finding"), mdProse(r.Title+" "+list[0].Why))
	for _, f := range list[:min(len(list), most)] {
		b.WriteString(auditItem(f))
	}
	if rest := len(list) - most; rest > 0 {
		fmt.Fprintf(&b, "\n… and %s of this rule.\n", count(rest, "more finding"))
	}
	b.WriteString("\n</details>\n")
	return b.String()
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
