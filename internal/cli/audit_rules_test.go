package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/plan/audit"
	"github.com/ssactl/ssactl/internal/plan/findings"
	"github.com/ssactl/ssactl/internal/plan/risk"
	"github.com/ssactl/ssactl/internal/render/view"
)

var ruleHeading = regexp.MustCompile(`(?m)^### ([a-z-]+)\n\n(\w+)`)

// TestAuditPage: the page tells every rule, with its severity, errors first.
func TestAuditPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "audit.md"))
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, r := range audit.Rules() {
		want = append(want, r.Name+" "+string(r.Severity))
	}
	for _, m := range ruleHeading.FindAllStringSubmatch(string(page), -1) {
		got = append(got, m[1]+" "+m[2])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules and severities (-code +page):\n%s", diff)
	}
	for _, s := range findings.Severities() {
		if !strings.Contains(string(page), "| "+string(s)+" |") {
			t.Errorf("the page does not tell what %s means", s)
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
		want.WriteString("| `" + r.Name + "` | " + string(r.Severity) + " | " + view.RiskRule(r.Name).Title + " |\n")
	}
	if !strings.Contains(string(page), want.String()) {
		t.Errorf("docs/risks.md lacks the rules as they are:\n%s", want.String())
	}
}
