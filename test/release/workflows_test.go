package release

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// uses is a step by an action, with what stands behind its name.
var uses = regexp.MustCompile(`(?m)^\s*(?:- )?uses: (\S+)(.*)$`)

var pinned = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)

// TestActionsArePinned: what runs with a token that writes is named by its commit, and
// by its version for people.
func TestActionsArePinned(t *testing.T) {
	seen := 0
	for _, file := range []string{"../../.github/workflows/release.yml", "../../.github/workflows/pages.yml", "../../action.yml"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range uses.FindAllStringSubmatch(string(text), -1) {
			if seen++; !pinned.MatchString(m[1]) || !regexp.MustCompile(`^ # v\d`).MatchString(m[2]) {
				t.Errorf("%s: %s is not pinned: NAME@COMMIT # vVERSION", file, strings.TrimSpace(m[0]))
			}
		}
	}
	if seen == 0 {
		t.Error("no action is used")
	}
}

// TestVersionsAgree: the release is made by the goreleaser that it was tried with.
func TestVersionsAgree(t *testing.T) {
	tried := find(t, "../../hack/release/check.sh", `goreleaser/v2@(v\S+)`)
	made := find(t, "../../.github/workflows/release.yml", `version: (v\S+)`)
	if tried != made {
		t.Errorf("tried with %s, made with %s", tried, made)
	}
}

func find(t *testing.T, file, pattern string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(pattern).FindSubmatch(text)
	if found == nil {
		t.Fatalf("%s has no %s", file, pattern)
	}
	return string(found[1])
}

// hook is one of .pre-commit-hooks.yaml.
type hook struct {
	ID, Name, Description, Entry, Language string
	Types                                  []string
	PassFilenames                          *bool `json:"pass_filenames"`
	RequireSerial                          bool  `json:"require_serial"`
}

// TestHooks: each hook is there for the ssactl of PATH and for one that is built, and
// gets its files by flags, as file names behind them mean nothing to ssactl.
func TestHooks(t *testing.T) {
	text, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []hook
	if err := yaml.UnmarshalStrict(text, &hooks); err != nil {
		t.Fatal(err)
	}
	entries := map[string]string{}
	for _, h := range hooks {
		if h.Name == "" || h.Description == "" || h.PassFilenames == nil || *h.PassFilenames {
			t.Errorf("%s is incomplete: %+v", h.ID, h)
		}
		entries[h.ID+" "+h.Language] = h.Entry
	}
	for _, name := range []string{"lint", "apply"} {
		for _, id := range []string{"ssactl-" + name + " golang", "ssactl-" + name + "-system system"} {
			if entries[id] != "ssactl "+name {
				t.Errorf("%s runs %q", id, entries[id])
			}
		}
	}
}
