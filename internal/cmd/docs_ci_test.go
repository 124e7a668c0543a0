package cmd

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var shellBlock = regexp.MustCompile("(?s)```console\n\\$ ([^\n]*)\n.*?```\n")

// TestDocsCI runs the commands of docs/ci.md in a shell, in a copy of examples/ci,
// and compares what they print. -update writes it into the page.
func TestDocsCI(t *testing.T) { checkShellPage(t, "ci.md", "ci") }

func checkShellPage(t *testing.T, name, example string) {
	page := filepath.Join("..", "..", "docs", name)
	want, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	dir, bin := t.TempDir(), binaries(t)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "examples", example))); err != nil {
		t.Fatal(err)
	}
	got := shellBlock.ReplaceAllStringFunc(string(want), func(block string) string {
		command := shellBlock.FindStringSubmatch(block)[1]
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 1) {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
		return fmt.Sprintf("```console\n$ %s\n%s```\n", command, out)
	})
	if *update {
		if err := os.WriteFile(page, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("docs/%s: (-want +got)\n%s", name, diff)
	}
}
