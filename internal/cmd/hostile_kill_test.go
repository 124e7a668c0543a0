//go:build unix

package cmd

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/test/figures"
)

// TestHostileKills kills real processes while they write three files of two
// folders, and a fourth that is new. The next run finds or makes all of them new
// or all as they were, and leaves no Secret beside them.
func TestHostileKills(t *testing.T) {
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := killedWorld{t: t, executable: executable}
	before := w.files(w.make())
	root := w.make()
	took := w.write(root, -1)
	after := w.files(root)
	if len(before) != 3 || len(after) != 4 {
		t.Fatalf("files before %v, after %v", slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
	}
	random := rand.New(rand.NewPCG(1, 2))
	var counts [left + 1]int
	// A kill takes a hundred times as long as a hostile object does.
	n := max(figures.Runs(4)/10, 4)
	for range n {
		root := w.make()
		w.write(root, time.Duration(random.Int64N(int64(took))))
		if slices.ContainsFunc(slices.Collect(maps.Keys(w.files(root))), isTemporary) {
			counts[left]++
		}
		got, told := w.next(root)
		switch {
		case cmp.Diff(before, got) == "":
			counts[allFormer]++
		case cmp.Diff(after, got) == "":
			counts[allNew]++
		default:
			t.Errorf("neither as they were nor new: %v", got)
		}
		if strings.Contains(told, "finished what a run") {
			counts[finished]++
		}
	}
	figures.Record(
		t,
		"kills",
		"kills processes while they write Secrets into four files, and looks at what the next run makes of that",
		fmt.Sprintf(
			"%d kills: all files new %d times, %d of these finished by the next run; all as they were %d times; something left beside them after the kill %d times, after the next run never",
			n,
			counts[allNew],
			counts[finished],
			counts[allFormer],
			counts[left],
		),
	)
}

// Results of a kill.
const (
	allFormer = iota
	allNew
	finished
	left
)

func isTemporary(name string) bool { return strings.Contains(name, ".ssactl-") }

// killedWorld runs ssactl, which this test binary is under that name, on files.
type killedWorld struct {
	t          *testing.T
	executable string
}

func (w killedWorld) make() string {
	w.t.Helper()
	root := w.t.TempDir()
	for _, name := range []string{"one/a", "one/b", "two/c", "manifests/a", "manifests/b", "manifests/c", "manifests/d"} {
		path := filepath.Join(root, name+".yaml")
		text := secretOf(filepath.Base(name), "former")
		if strings.HasPrefix(name, "manifests") {
			text = secretOf(filepath.Base(name), "next")
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
	return root
}

// secretOf is a Secret as a manifest, and as a live object without managed
// fields.
func secretOf(name, value string) string {
	return fmt.Sprintf(
		"apiVersion: v1\nkind: Secret\nmetadata:\n  name: %s\n  namespace: default\ntype: Opaque\nstringData:\n  key: %s\n",
		name,
		value,
	)
}

func (w killedWorld) ssactl(root string, args ...string) *exec.Cmd {
	cmd := exec.Command(w.executable)
	cmd.Args = append([]string{"ssactl"}, args...)
	cmd.Dir = root
	return cmd
}

// write kills the process so long after it has begun to answer; never where that
// is negative. It gives how long it took from there.
func (w killedWorld) write(root string, kill time.Duration) time.Duration {
	w.t.Helper()
	cmd := w.ssactl(root, "apply", "-f", "manifests", "--live", "one", "--live", "two", "--force-conflicts",
		"--now", "2026-11-21T12:00:00Z", "--write", "--write-new", "two/new.yaml")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = io.ReadFull(out, make([]byte, 1))
	}
	if err != nil {
		w.t.Fatal(err)
	}
	began := time.Now()
	if kill >= 0 {
		time.Sleep(kill)
		_ = cmd.Process.Kill()
	}
	_, _ = io.Copy(io.Discard, out)
	if err := cmd.Wait(); err != nil && kill < 0 {
		w.t.Fatal(err)
	}
	return time.Since(began)
}

// next is what a run leaves that only reads, and what it says.
func (w killedWorld) next(root string) (map[string]string, string) {
	w.t.Helper()
	told, err := w.ssactl(root, "owners", "-f", "one", "-f", "two", "-o", "json").CombinedOutput()
	if err != nil {
		w.t.Fatalf("%v: %s", err, told)
	}
	return w.files(root), string(told)
}

// files are those beside the manifests.
func (w killedWorld) files(root string) map[string]string {
	w.t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.Contains(path, "manifests") {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		files[name] = string(content)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return files
}
