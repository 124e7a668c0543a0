package managedfields

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// checkIndex: no item is missed that equals the value sought, or has none.
func checkIndex(t *testing.T, values []any, has func(int) bool) {
	t.Helper()
	x := newItemIndex(len(values), func(i int) (any, bool) { return values[i], has(i) })
	for _, sought := range values {
		found := x.candidates(sought)
		if !slices.IsSorted(found) {
			t.Errorf("%v: %v is not in order", sought, found)
		}
		for i, v := range values {
			if want := !has(i) || value.Equals(value.NewValueInterface(v), value.NewValueInterface(sought)); want &&
				!slices.Contains(found, i) {
				t.Errorf("%v: %v lacks %d, %v", sought, found, i, v)
			}
		}
	}
}

func TestCandidates(t *testing.T) {
	values := []any{
		"a", "b", "a", "1", int64(1), 1.0, int64(0),
		math.Copysign(0, -1),
		true,
		false,
		nil,
		map[string]any{},
		[]any{},
		1, int32(1), uint64(1), float32(1), int64(math.MaxInt64), float64(math.MaxInt64),
	}
	checkIndex(t, values, func(int) bool { return true })
	checkIndex(t, values, func(i int) bool { return i%3 > 0 })
	x := newItemIndex(4, func(i int) (any, bool) { return []any{"a", "b", nil, "a"}[i], i != 2 })
	if got := x.candidates("a"); !slices.Equal(got, []int{0, 2, 3}) {
		t.Errorf("got %v", got)
	}
}

func FuzzCandidates(f *testing.F) {
	f.Add(`["a",1,1.0,null,true,{"a":1},-0,0,1e400]`)
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return
		}
		var values []any
		if kjson.UnmarshalCaseSensitivePreserveInts([]byte(text), &values) != nil || len(values) > 50 {
			return
		}
		checkIndex(t, values, func(i int) bool { return i%4 > 0 })
	})
}
