package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// documented PAGE... runs the examples of pages of the documentation, and asks
// for the output that they show. An example is a console block; its commands
// follow a dollar sign, and their output, of both streams, follows them. With
// -update the pages get what is printed.
func documented(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: documented PAGE...")
	}
	for _, page := range args {
		path := filepath.Join(ts.Getenv("DOCS"), page)
		b, err := os.ReadFile(path)
		ts.Check(err)
		got := runExamples(ts, string(b))
		switch {
		case got == string(b):
		case *update:
			ts.Check(os.WriteFile(path, []byte(got), 0o644))
		default:
			ts.Fatalf("%s: its examples print:\n%s", page, got)
		}
	}
}

// runExamples gives the page with the output that its commands have.
func runExamples(ts *testscript.TestScript, page string) string {
	var out strings.Builder
	inside, ran := false, 0
	for _, line := range strings.SplitAfter(page, "\n") {
		switch {
		case strings.HasPrefix(line, "```console"):
			inside = true
		case inside && strings.HasPrefix(line, "```"):
			inside = false
		case inside && strings.HasPrefix(line, "$ "):
			ran++
			line += runExample(ts, strings.TrimPrefix(line, "$ "))
		case inside:
			continue
		}
		out.WriteString(line)
	}
	if ran == 0 {
		ts.Fatalf("the page has no examples")
	}
	return out.String()
}

func runExample(ts *testscript.TestScript, line string) string {
	words, err := shellWords(strings.TrimSpace(line))
	ts.Check(err)
	// Exit codes other than 0 are part of what examples show.
	if err := ts.Exec(words[0], words[1:]...); err != nil {
		ts.Logf("%s: %v", line, err)
	}
	return ts.ReadFile("stdout") + ts.ReadFile("stderr")
}

// shellWords cuts a command line; single and double quotes keep spaces.
func shellWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	for _, r := range line {
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case r == quote:
			quote = 0
		case quote == 0 && r == ' ':
			words = append(words, word.String())
			word.Reset()
		default:
			word.WriteRune(r)
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("unbalanced quotes: %s", line)
	}
	return append(words, word.String()), nil
}
