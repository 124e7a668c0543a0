package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/plan/lint"
)

// TestLintPage: the page has every rule as it is in the code. With -update the page is
// written.
func TestLintPage(t *testing.T) {
	name := filepath.Join("..", "..", "docs", "lint.md")
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
	for _, r := range lint.Rules() {
		fmt.Fprintf(&rules, "\n### %s\n\n%s. %s %s\n", r.Name, r.Severity, r.Title, r.Why)
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
