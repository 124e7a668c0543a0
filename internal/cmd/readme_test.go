package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// consoleBlock is a command and its output in a Markdown file.
var consoleBlock = regexp.MustCompile("(?s)```console\n\\$ ssactl ([^\n]*)\n(.*?)```")

// TestReadme runs the commands that the README shows, and compares their
// output; -update writes it.
func TestReadme(t *testing.T) {
	readme, err := filepath.Abs(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join("..", "..", "examples", "autoscaler"))
	blocks := 0
	got := consoleBlock.ReplaceAllStringFunc(string(text), func(block string) string {
		blocks++
		command := consoleBlock.FindStringSubmatch(block)[1]
		var out bytes.Buffer
		streams := iostreams.New(strings.NewReader(""), &out, &out, func(string) string { return "" })
		Main(strings.Fields(command), streams)
		return "```console\n$ ssactl " + command + "\n" + out.String() + "```"
	})
	if blocks == 0 {
		t.Fatal("the README shows no command")
	}
	if *update {
		if err := os.WriteFile(readme, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(text), got); diff != "" {
		t.Errorf("README.md (-shown +printed):\n%s", diff)
	}
}
