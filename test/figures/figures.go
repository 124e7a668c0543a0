// Package figures keeps what the hostile tests counted in docs/security.md, and
// says how long they run. Only tests import it.
package figures

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	begin = "<!-- figures -->\n| test | what it does | last run |\n|---|---|---|\n"
	end   = "<!-- end of figures -->"
)

// Runs is how many runs a test does: HOSTILE_RUNS, or so many in the suite, and an
// eighth of them with -short.
func Runs(suite int) int {
	if n, err := strconv.Atoi(os.Getenv("HOSTILE_RUNS")); err == nil && n > 0 {
		return n
	}
	if testing.Short() {
		return suite / 8
	}
	return suite
}

// Record reports what a test that passed counted. With HOSTILE_FIGURES, the path of
// the page, it puts the row of that test there; rows are sorted by name.
func Record(t *testing.T, name, what, counted string) {
	t.Helper()
	t.Logf("%s: %s", name, counted)
	page := os.Getenv("HOSTILE_FIGURES")
	if page == "" || t.Failed() {
		return
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	with, err := withRow(string(text), name, fmt.Sprintf("| %s | %s | %s |\n", name, what, counted))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, []byte(with), 0o644); err != nil {
		t.Fatal(err)
	}
}

// withRow is the page with the row of that name replaced.
func withRow(page, name, row string) (string, error) {
	before, rest, found := strings.Cut(page, begin)
	table, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		return "", fmt.Errorf("the page has no table between %q and %q", begin, end)
	}
	rows := slices.DeleteFunc(strings.SplitAfter(table, "\n"), func(r string) bool {
		return r == "" || strings.HasPrefix(r, "| "+name+" |")
	})
	rows = append(rows, row)
	slices.Sort(rows)
	return before + begin + strings.Join(rows, "") + end + after, nil
}
