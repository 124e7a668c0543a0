package cmd

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// invoked is a command line of this program in a page, up to where the line, a pipe or the
// code span ends.
var invoked = regexp.MustCompile("(?m)(?:^ *|`)ssactl ([a-z][^`|\n]*)")

// flagWord is a flag in it.
var flagWord = regexp.MustCompile(`(?:^| )(--?[A-Za-z][a-z-]*)`)

// TestSkill: what agents are told to run is there, with its flags, and they can read it all.
func TestSkill(t *testing.T) {
	root := newRootCmd(&app.App{Streams: iostreams.New(nil, nil, nil, nil)})
	root.InitDefaultHelpCmd()
	for file, most := range map[string]int{"skills/ssactl/SKILL.md": 150, "docs/agents.md": 150} {
		raw, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		if n := strings.Count(text, "\n"); n > most {
			t.Errorf("%s has %d lines, more than %d", file, n, most)
		}
		lines := invoked.FindAllStringSubmatch(text, -1)
		if len(lines) < 10 {
			t.Errorf("%s names %d commands", file, len(lines))
		}
		for _, line := range lines {
			words := strings.Fields(line[1])
			cmd, _, err := root.Find(words[:1])
			if err != nil {
				t.Errorf("%s: %s: %v", file, line[0], err)
				continue
			}
			for _, m := range flagWord.FindAllStringSubmatch(line[1], -1) {
				name := strings.TrimLeft(m[1], "-")
				if len(name) == 1 && cmd.Flags().ShorthandLookup(name) == nil || len(name) > 1 && cmd.Flag(name) == nil {
					t.Errorf("%s: %s has no flag %s", file, cmd.Name(), m[1])
				}
			}
		}
	}
}
