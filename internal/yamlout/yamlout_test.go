package yamlout

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yamlv2 "go.yaml.in/yaml/v2"
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

// orderLetters are what keys are put together from: digits, letters, others, and digits
// and letters of other scripts.
var orderLetters = []rune("0123019ab_:.-é٣Ω")

// TestComesBefore: of two keys the one comes first that the encoder writes first.
func TestComesBefore(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	key := func() string {
		var b strings.Builder
		for range 1 + rng.IntN(6) {
			b.WriteRune(orderLetters[rng.IntN(len(orderLetters))])
		}
		if rng.IntN(9) == 0 {
			b.WriteString(strings.Repeat("9", 15+rng.IntN(10)))
		}
		return b.String()
	}
	for range 20000 {
		a, b := key(), key()
		if a == b {
			continue
		}
		text, err := yamlv2.Marshal(map[string]string{a: "first", b: "second"})
		if err != nil {
			t.Fatal(err)
		}
		if first := strings.Index(string(text), "first") < strings.Index(string(text), "second"); first != comesBefore(a, b) {
			t.Errorf("%q before %q: %v, but the encoder writes\n%s", a, b, comesBefore(a, b), text)
		}
	}
}
