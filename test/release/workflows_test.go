package release

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
	files, err := filepath.Glob("../../.github/workflows/*.y*ml")
	if err != nil || len(files) < 3 {
		t.Fatalf("workflows %v: %v", files, err)
	}
	for _, file := range append(files, "../../action.yml", "../../setup/action.yml", "../../comment/action.yml") {
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

// TestGateRunsEverywhere: the short suite runs on the systems that releases are for.
func TestGateRunsEverywhere(t *testing.T) {
	var gate struct {
		Permissions map[string]string
		Jobs        map[string]struct {
			Strategy struct{ Matrix struct{ OS []string } }
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, "../../.github/workflows/gate.yaml")), &gate); err != nil {
		t.Fatal(err)
	}
	var released struct{ Builds []struct{ Goos []string } }
	if err := yaml.Unmarshal([]byte(read(t, "../../.goreleaser.yaml")), &released); err != nil ||
		len(released.Builds) == 0 {
		t.Fatal(err)
	}
	runners := map[string]string{"linux": "ubuntu-latest", "darwin": "macos-latest", "windows": "windows-latest"}
	for _, goos := range released.Builds[0].Goos {
		if !slices.Contains(gate.Jobs["short"].Strategy.Matrix.OS, runners[goos]) {
			t.Errorf("nothing is tested on %s", goos)
		}
	}
	if len(gate.Permissions) != 1 || gate.Permissions["contents"] != "read" {
		t.Errorf("the gate may %v", gate.Permissions)
	}
}

// TestOwners: what has an owner is there, and what others run or trust has one.
func TestOwners(t *testing.T) {
	owned := map[string]bool{}
	for line := range strings.Lines(read(t, "../../.github/CODEOWNERS")) {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) != 2 || !strings.HasPrefix(fields[1], "@ssactl/") {
			t.Errorf("%q names no team", strings.TrimSpace(line))
		}
		owned[fields[0]] = true
		if fields[0] == "*" {
			continue
		}
		if _, err := os.Stat("../.." + fields[0]); err != nil {
			t.Errorf("%s has an owner: %v", fields[0], err)
		}
	}
	for _, path := range []string{"*", "/.github/", "/.ci/", "/action.yml", "/templates/", "/hack/action/", "/hack/release/", "/go.mod"} {
		if !owned[path] {
			t.Errorf("%s has no owner", path)
		}
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
