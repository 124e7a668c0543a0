package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/test/pictures"
)

// drawn are the pictures of docs/pictures: a command on an example.
var drawn = []struct{ name, example, command string }{
	{"apply", "autoscaler", "apply -f web.yaml --live web-live.yaml --client helm"},
	{"explain", "autoscaler", "explain -f web.yaml --live web-live.yaml --client helm"},
	{"blame", "autoscaler", "owners -f live.yaml --as blame --now 2026-11-01T00:00:00Z"},
}

// pictureColumns is the width of the terminal that is drawn.
const pictureColumns = 100

// TestPictures draws what the commands print, and compares it with the pictures
// of the documentation; -update writes them.
func TestPictures(t *testing.T) {
	docs, err := filepath.Abs(filepath.Join("..", "..", "docs", "pictures"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range drawn {
		t.Run(p.name, func(t *testing.T) {
			t.Chdir(filepath.Join("..", "..", "examples", p.example))
			got, err := pictures.SVG("ssactl "+p.command, colored(t, p.command), pictureColumns)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(docs, p.name+".svg")
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s shows something else than the command prints: make pictures draws it again", path)
			}
		})
	}
}

// colored is what a command prints to a terminal with colors.
func colored(t *testing.T, command string) string {
	t.Helper()
	var out bytes.Buffer
	env := map[string]string{"COLUMNS": "100"}
	streams := iostreams.New(strings.NewReader(""), &out, &out, func(name string) string { return env[name] })
	Main(append(strings.Fields(command), "--color", "always"), streams)
	return out.String()
}
