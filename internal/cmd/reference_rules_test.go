package cmd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/answer/findings"
	"github.com/ssactl/ssactl/internal/cmd/audit/rules"
	"github.com/ssactl/ssactl/internal/cmd/clear"
	"github.com/ssactl/ssactl/internal/cmd/compare"
	"github.com/ssactl/ssactl/internal/cmd/lint"
	"github.com/ssactl/ssactl/internal/cmd/transfer"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/impact"
	"github.com/ssactl/ssactl/internal/ownership/migration"
)

// rulesPage has every rule, by the command that looks for it.
func rulesPage(*testing.T) string {
	var out strings.Builder
	out.WriteString(generated("Rules", "the rules of each question"))
	out.WriteString(`Names and severities are stable: ` + "`--rule`, `--skip-rule`, `--fail-on`" + ` and suppressions go by
them, as do SARIF and the report. An error is refused or loses ownership, a warning does
not do what its manifest says, a note is good to know.

## Every write

` + "`apply`, `diff`, `explain`" + ` and the other writes: ` + "`findings`" + ` of each object in the report. Those
that speak of a field of an accepted write are its [risks](../risks.md).

` + header("rule", "severity", "what it finds, and why it matters"))
	for _, r := range findings.Rules() {
		out.WriteString(row("`"+r.Name+"`", string(r.Severity), escapeMarkdown(r.Title+" "+r.Why)))
	}
	out.WriteString(
		ruleTable("ssactl audit", "audit.md", "What is wrong with the ownership of live objects", rules.Rules()),
	)
	out.WriteString(
		ruleTable("ssactl lint", "lint.md", "What is wrong with manifests, before there is a live object", lint.Rules()),
	)
	out.WriteString(
		ruleTable(
			"ssactl migrate", "migrate.md", "What stands in the way of a migration, and what it leaves",
			migration.Rules(),
		),
	)
	out.WriteString(
		ruleTable("ssactl transfer", "transfer.md", "What a plan rests on, and what it leaves", transfer.Rules()),
	)
	out.WriteString(
		ruleTable("ssactl clear", "clear.md", "What is to be known of the live object, and of the answer", clear.Rules()),
	)
	out.WriteString(ruleTable("ssactl compare", "compare.md", "What two dumps differ in", compare.Rules()))
	out.WriteString(
		ruleTable(
			"ssactl schema impact", "schema-impact.md",
			"What a change of definitions does to merging and ownership", impact.Rules(),
		),
	)
	return out.String()
}

func ruleTable(command, page, title string, rules finding.Rules) string {
	var out strings.Builder
	fmt.Fprintf(
		&out,
		"\n## %s\n\n%s ([%s](../%s)).\n\n%s", command, title, strings.TrimSuffix(page, ".md"), page,
		header("rule", "severity", "what it finds, and why it matters"),
	)
	for _, r := range rules {
		out.WriteString(row("`"+r.Name+"`", string(r.Severity), escapeMarkdown(r.Title+" "+r.Why)))
	}
	return out.String()
}
