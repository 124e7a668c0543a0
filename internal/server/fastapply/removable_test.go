package fastapply

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRemovable: without this folder, and with the one line that puts it round the
// server gone, everything else is built.
func TestRemovable(t *testing.T) {
	packages := "./internal/..."
	if testing.Short() {
		packages = "./internal/run/cluster"
	}
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		replace[filepath.Join(root, "internal", "server", "fastapply", file)] = ""
	}
	user := filepath.Join(root, "internal", "run", "cluster", "given.go")
	replace[user] = withoutShortcut(t, user)
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-overlay", file, packages)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("without the shortcut: %v\n%s", err, out)
	}
}

// withoutShortcut is a copy of the file that puts the shortcut round the server,
// without its import and with the bare server in its one line.
func withoutShortcut(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const around, imported = "return fastapply.Around(s), nil\n", "\t\"github.com/ssactl/ssactl/internal/server/fastapply\"\n"
	changed := strings.Replace(strings.Replace(string(text), around, "return s, nil\n", 1), imported, "", 1)
	if strings.Contains(changed, "fastapply") {
		t.Fatalf("%s has more of it than one line and its import:\n%s", file, changed)
	}
	copied := filepath.Join(t.TempDir(), "changed.go")
	if err := os.WriteFile(copied, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	return copied
}
