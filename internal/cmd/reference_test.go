package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDocsReference: the pages of the reference say what the program has: its commands and
// flags, the rules, and the schema of the report. With -update they are written.
func TestDocsReference(t *testing.T) {
	for name, page := range map[string]func(*testing.T) string{
		"commands.md": commandsPage,
		"report.md":   reportPage,
		"rules.md":    rulesPage,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("..", "..", "docs", "reference", name)
			want := page(t)
			if *update {
				if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(got), want); diff != "" {
				t.Errorf("the page is out of date (-page +program):\n%s", diff)
			}
		})
	}
}

// generated is the head of a page that nobody edits.
func generated(title, from string) string {
	return fmt.Sprintf(
		"# %s\n\n<!-- Generated from %s: go test -run TestDocsReference ./internal/cmd -update -->\n\n",
		title,
		from,
	)
}

// row is one of a table. Bars would end a cell.
func row(cells ...string) string {
	for i, cell := range cells {
		cells[i] = strings.ReplaceAll(strings.Join(strings.Fields(cell), " "), "|", `\|`)
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// header is the head of a table.
func header(columns ...string) string {
	return row(columns...) + "|" + strings.Repeat("---|", len(columns)) + "\n"
}
