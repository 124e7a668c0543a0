package prose

import (
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

//go:embed banned.txt
var list string

// banned is an expression that texts do not use, with what to write instead.
type banned struct {
	expression *regexp.Regexp
	instead    string
}

// parse returns the expressions that output does not use, and those that pages do not
// use in addition.
func parse(list string) (output, pages []banned) {
	into := &output
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		switch expression, instead, found := strings.Cut(line, " => "); {
		case line == "---":
			into = &pages
		case found:
			*into = append(
				*into,
				banned{regexp.MustCompile(`(?i)\b(?:` + strings.ReplaceAll(expression, " ", `\s+`) + `)\b`), instead},
			)
		}
	}
	return output, pages
}

// TestProse checks the pages of the documentation, which show the help of all commands
// (docs/reference), and the output in goldens and scripts.
func TestProse(t *testing.T) {
	output, pages := parse(list)
	pages = append(pages, output...)
	root := os.DirFS("../..")
	for _, folder := range []string{"docs", "examples", "README.md", "CONTRIBUTING.md", "SECURITY.md"} {
		walk(t, root, folder, func(name, text string) {
			if path.Ext(name) == ".md" {
				check(t, name, withoutBlocks(text), pages)
			}
		})
	}
	for _, folder := range []string{"internal/cmd", "internal/answer/show/testdata"} {
		walk(t, root, folder, func(name, text string) {
			if strings.Contains(name, "/testdata/") {
				check(t, name, comment.ReplaceAllString(text, ""), output)
			}
		})
	}
}

// TestCheck finds expressions across lines, in any case, as whole words only.
func TestCheck(t *testing.T) {
	list, _ := parse("# a comment\nhangs? on => depends on")
	for text, want := range map[string]string{
		"it depends on it":       "",
		"it overhangs onto it":   "",
		"a\nit Hangs\n    on it": "f:2: \"Hangs on\": depends on",
	} {
		if got := strings.Join(find("f", text, list), "\n"); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

var (
	blanks  = regexp.MustCompile(`\s+`)
	comment = regexp.MustCompile(`(?m)^#.*$`)
	block   = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
)

// withoutBlocks empties the blocks of code, and keeps the numbers of lines.
func withoutBlocks(page string) string {
	return block.ReplaceAllStringFunc(page, func(b string) string { return strings.Repeat("\n", strings.Count(b, "\n")) })
}

func walk(t *testing.T, root fs.FS, folder string, visit func(name, text string)) {
	t.Helper()
	err := fs.WalkDir(root, folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		if err == nil {
			visit(name, string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func check(t *testing.T, name, text string, list []banned) {
	t.Helper()
	for _, found := range find(name, text, list) {
		t.Error(found)
	}
}

// find returns each use of an expression, with its line and what to write instead. A
// blank of an expression stands for any white space.
func find(name, text string, list []banned) []string {
	var found []string
	for _, b := range list {
		for _, at := range b.expression.FindAllStringIndex(text, -1) {
			line := 1 + strings.Count(text[:at[0]], "\n")
			words := blanks.ReplaceAllString(text[at[0]:at[1]], " ")
			found = append(found, fmt.Sprintf("%s:%d: %q: %s", name, line, words, b.instead))
		}
	}
	return found
}
