package show

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/parity"
	"github.com/ssactl/ssactl/test/sampled"
)

// recorded are the writes of the corpus that changed an object, each under a
// name of its own.
func recorded(t testing.TB) []report.Result {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "corpus", "*.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	var out []report.Result
	for _, file := range files {
		scenarios, err := parity.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sampled.Of(t, 8, scenarios) {
			for _, step := range s.Steps {
				r := report.Result{
					Outcome: report.Configured,
					Live:    decoded(t, step.LiveBefore),
					Object:  decoded(t, step.LiveAfter),
				}
				r.Target = report.Target{
					APIVersion: step.Target.APIVersion,
					Kind:       step.Target.Kind,
					Namespace:  step.Target.Namespace,
					Name:       fmt.Sprintf("%s-%d", step.Target.Name, len(out)),
				}
				if r.Live != nil || r.Object != nil {
					out = append(out, r)
				}
			}
		}
	}
	if len(out) == 0 {
		t.Fatal("no recorded writes")
	}
	return out
}

func decoded(t testing.TB, raw json.RawMessage) map[string]any {
	t.Helper()
	var m map[string]any
	if len(raw) == 0 {
		return nil
	}
	if err := kjson.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestCorpusDiffs applies the diff of every recorded write, by this module's
// code and, in one go, by the patch program of the machine where there is one.
func TestCorpusDiffs(t *testing.T) {
	patch, lookErr := exec.LookPath("patch")
	dir := t.TempDir()
	want := map[string]string{}
	var all strings.Builder
	for _, r := range recorded(t) {
		for _, o := range []Options{{ShowManagedFields: true, ShowServerFields: true}, {}} {
			texts, d := checkDiff(t, r, o)
			if !o.ShowManagedFields {
				continue
			}
			want[d.Name] = texts.Merged
			all.WriteString(d.Unified())
			if len(texts.Live) > 0 {
				writeFile(t, filepath.Join(dir, d.Name), texts.Live)
			}
		}
	}
	if lookErr != nil {
		t.Logf("GNU patch is not there, so that only the module's own code was asked: %v", lookErr)
		return
	}
	cmd := exec.Command(patch, "-p1", "--batch", "--silent", "--no-backup-if-mismatch", "--directory", dir)
	cmd.Stdin = strings.NewReader(all.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if diff := cmp.Diff(text, string(got)); diff != "" {
			t.Errorf("%s as patch leaves it: (-want +got)\n%s", name, diff)
		}
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
