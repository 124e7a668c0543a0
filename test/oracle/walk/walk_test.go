package walk

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/test/parity"
)

func seeds(t *testing.T) []*Seed {
	t.Helper()
	scenarios, err := parity.ReadFile(filepath.Join("..", "..", "..", "testdata", "corpus", "public-generated.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	found := Seeds(scenarios)
	if len(found) < 50 {
		t.Fatalf("%d kinds to walk over, want at least 50", len(found))
	}
	return found
}

// told walks as if the server stored each created body and nothing else.
func told(seed *Seed, number uint64) []parity.Step {
	w := New(seed, number, "w1-0")
	w.Subresources = []string{"status"}
	var live json.RawMessage
	var steps []parity.Step
	for range w.Steps() {
		step := w.Next(live)
		if live == nil {
			live = step.Request.Body
		}
		steps = append(steps, step)
	}
	return steps
}

func TestWalkIsTheSameForTheSameSeed(t *testing.T) {
	again := seeds(t)
	for i, seed := range seeds(t) {
		if diff := cmp.Diff(told(seed, 7), told(again[i], 7)); diff != "" {
			t.Errorf("%s (-first +second):\n%s", seed.Target.Kind, diff)
		}
	}
}

func TestWalkStaysAtItsObject(t *testing.T) {
	for _, seed := range seeds(t) {
		for number := range uint64(20) {
			for _, step := range told(seed, number) {
				path, err := parity.ParsePath(step.Request.Path)
				if err != nil {
					t.Fatal(err)
				}
				if path.Name != "" && path.Name != step.Target.Name || path.Namespace != step.Target.Namespace {
					t.Errorf("%s: path %s is not that of %v", seed.Target.Kind, step.Request.Path, step.Target)
				}
				if strings.Contains(step.Request.Path+string(step.Request.Body), Here) {
					t.Errorf("%s: the namespace is not filled in: %s %s", seed.Target.Kind, step.Request.Path, step.Request.Body)
				}
				if step.Op != "delete" && !json.Valid(step.Request.Body) {
					t.Errorf("%s: not JSON: %s", seed.Target.Kind, step.Request.Body)
				}
			}
		}
	}
}
