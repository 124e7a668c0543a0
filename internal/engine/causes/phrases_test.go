package causes

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPhrasesAreUpstreams looks each phrase up in the source that says it, in the
// module cache: where Kubernetes is raised, this test says which explanations are
// gone.
func TestPhrasesAreUpstreams(t *testing.T) {
	dirs := map[string]string{}
	for _, p := range phrases {
		if dirs[p.module] == "" {
			out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", p.module).Output()
			if err != nil {
				t.Fatalf("find the source of %s: %v", p.module, err)
			}
			dirs[p.module] = strings.TrimSpace(string(out))
		}
		source, err := os.ReadFile(filepath.Join(dirs[p.module], filepath.FromSlash(p.file)))
		if err != nil {
			t.Errorf("%q: %v", p.text, err)
			continue
		}
		text := p.source
		if text == "" {
			text = p.text
		}
		if !strings.Contains(string(source), text) {
			t.Errorf("%s of %s does not say %q any more", p.file, p.module, text)
		}
	}
}
