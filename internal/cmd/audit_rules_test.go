package cmd

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/cmd/audit/rules"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/report"
)

// ruleRow is a row of a table that begins with the name of a rule.
var ruleRow = regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|")

// TestAuditPage checks that docs/audit.md explains every severity, and names only
// rules that exist.
func TestAuditPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "audit.md"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, r := range rules.Rules() {
		known[r.Name] = true
	}
	named := ruleRow.FindAllStringSubmatch(string(page), -1)
	if len(named) == 0 {
		t.Error("the page names no rule")
	}
	for _, m := range named {
		if !known[m[1]] {
			t.Errorf("the page names the rule %s, which does not exist", m[1])
		}
	}
	for _, s := range []report.Severity{report.SeverityError, report.SeverityWarning, report.SeverityNote} {
		if !strings.Contains(string(page), "| "+string(s)+" |") {
			t.Errorf("the page does not explain the severity %s", s)
		}
	}
}

// TestRisksPage: docs/risks.md has a row for each rule of risks, in order.
func TestRisksPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "risks.md"))
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, r := range risk.Rules() {
		want.WriteString("| `" + r.Name + "` | " + string(r.Severity) + " | " + r.Title + " |\n")
	}
	if !strings.Contains(string(page), want.String()) {
		t.Errorf("docs/risks.md lacks the rules as they are:\n%s", want.String())
	}
}
