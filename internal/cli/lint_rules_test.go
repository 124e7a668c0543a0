package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/plan/findings"
	"github.com/ssactl/ssactl/internal/plan/impact"
	"github.com/ssactl/ssactl/internal/plan/lint"
	"github.com/ssactl/ssactl/internal/render/view"
)

// TestLintPage and TestImpactPage: the pages have every rule as it is in the code. With
// -update they are written.
func TestLintPage(t *testing.T) { checkRulesPage(t, "lint.md", lint.Rules(), view.LintRule) }

func TestImpactPage(t *testing.T) {
	checkRulesPage(t, "schema-impact.md", impact.Rules(), view.ImpactRule)
}

func checkRulesPage(t *testing.T, file string, list findings.Rules, text func(string) view.RuleText) {
	t.Helper()
	name := filepath.Join("..", "..", "docs", file)
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "./internal/cli -update -->\n"
	before, page, found := strings.Cut(string(b), mark)
	if !found {
		t.Fatal("the page does not say where its rules begin")
	}
	var rules strings.Builder
	for _, r := range list {
		fmt.Fprintf(&rules, "\n### %s\n\n%s. %s %s\n", r.Name, r.Severity, text(r.Name).Title, text(r.Name).Why)
	}
	if *update {
		if err := os.WriteFile(name, []byte(before+mark+rules.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(rules.String(), page); diff != "" {
		t.Errorf("the rules of the page (-code +page):\n%s", diff)
	}
}
