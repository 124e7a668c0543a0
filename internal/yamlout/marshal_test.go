package yamlout

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/test/trees"
)

// TestMarshal: a tree is written as the library writes it, whatever is in it, where that
// writes it in one way.
func TestMarshal(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 1))
	direct := 0
	for range 20_000 {
		v := trees.Any(rng, 4)
		if _, ok := readBack(v); ok {
			direct++
		}
		if !inOneOrder(v) {
			continue
		}
		got, gotErr := Marshal(v)
		want, wantErr := yaml.Marshal(v)
		if diff := cmp.Diff(fmt.Sprint(string(want), wantErr), fmt.Sprint(string(got), gotErr)); diff != "" {
			text, _ := json.Marshal(v)
			t.Fatalf("%s: (-want +got)\n%s", text, diff)
		}
	}
	if direct < 10_000 {
		t.Errorf("only %d were written without the detour", direct)
	}
}

// inOneOrder reports whether the library has an order for the keys of each map.
func inOneOrder(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		keys := sorted(v)
		for i, key := range keys {
			if !inOneOrder(v[key]) || slices.ContainsFunc(keys[i+1:], func(after string) bool { return comesBefore(after, key) }) {
				return false
			}
		}
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !inOneOrder(item) })
	}
	return true
}
