package jsontree

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
)

// TestShare: the tree stays what it is, in memory of the other one where that has the
// same, and neither is changed.
func TestShare(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 10))
	shared := 0
	for range 20_000 {
		tree, like := randomTree(rng, 4), any(nil)
		if like = randomTree(rng, 4); rng.IntN(4) > 0 {
			like = otherwise(rng, tree)
		}
		was, likeWas := runtime.DeepCopyJSONValue(tree), runtime.DeepCopyJSONValue(like)
		got := Share(tree, like)
		if !alike(got, was) || !alike(tree, was) || !alike(like, likeWas) {
			t.Fatalf("of %#v beside %#v: got %#v, which leaves %#v beside %#v", was, likeWas, got, tree, like)
		}
		shared += checkShared(t, got, like)
	}
	t.Logf("%d maps and lists are shared", shared)
	if shared < 5_000 {
		t.Errorf("only %d maps and lists are shared", shared)
	}
}

// checkShared: what is equal at one place is one in memory. It counts.
func checkShared(t *testing.T, got, like any) (shared int) {
	t.Helper()
	switch got := got.(type) {
	case map[string]any:
		like, ok := like.(map[string]any)
		if ok && alike(got, like) {
			if !Same(got, like) {
				t.Fatalf("%v is not shared", got)
			}
			return 1
		}
		for key, value := range got {
			if other, has := like[key]; has {
				shared += checkShared(t, value, other)
			}
		}
	case []any:
		like, ok := like.([]any)
		if ok && alike(got, like) {
			if len(got) > 0 && !Same(got, like) {
				t.Fatalf("%v is not shared", got)
			}
			return 1
		}
		for i := range min(len(got), len(like)) {
			shared += checkShared(t, got[i], like[i])
		}
	}
	return shared
}

// alike tells zeros of two signs from each other, as their texts do.
func alike(a, b any) bool {
	text, err := json.Marshal(a)
	other, otherErr := json.Marshal(b)
	return err == nil && otherErr == nil && bytes.Equal(text, other) && reflect.DeepEqual(a, b)
}

func randomTree(rng *rand.Rand, depth int) any {
	if depth == 0 || rng.IntN(4) == 0 {
		return []any{nil, true, "a", "", int64(0), int64(1), 0.0, math.Copysign(0, -1), 1.5, map[string]any{}, []any{}}[rng.IntN(11)]
	}
	if rng.IntN(2) == 0 {
		out := make([]any, rng.IntN(4))
		for i := range out {
			out[i] = randomTree(rng, depth-1)
		}
		return out
	}
	out := map[string]any{}
	for range rng.IntN(5) {
		out[[]string{"a", "b", "c", "d", "e"}[rng.IntN(5)]] = randomTree(rng, depth-1)
	}
	return out
}

// otherwise is a copy with other values here and there, and items and keys more and less.
func otherwise(rng *rand.Rand, tree any) any {
	if rng.IntN(12) == 0 {
		return randomTree(rng, 1)
	}
	switch is := tree.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range is {
			if rng.IntN(12) > 0 {
				out[key] = otherwise(rng, value)
			}
		}
		if rng.IntN(6) == 0 {
			out["b"] = randomTree(rng, 1)
		}
		return out
	case []any:
		out := []any{}
		for _, item := range is {
			for range 1 + rng.IntN(7)/6 {
				out = append(out, otherwise(rng, item))
			}
		}
		return out
	}
	return tree
}
