package managedfields

import (
	"slices"
	"strconv"

	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// longList is from how many items on an index is worth making: a list of a hundred
// thousand items, each looked for in turn, would take minutes.
const longList = 64

type itemIndex struct {
	with    map[string][]int
	without []int
}

// newItemIndex indexes n items; value gives that of an item, and false where it has none.
func newItemIndex(n int, value func(i int) (any, bool)) *itemIndex {
	x := &itemIndex{with: map[string][]int{}}
	for i := range n {
		if v, ok := value(i); ok {
			b := bucket(v)
			x.with[b] = append(x.with[b], i)
		} else {
			x.without = append(x.without, i)
		}
	}
	return x
}

// candidates are the sorted positions of all items that may have a value: those that equal
// it (value.Equals), those without one, and perhaps others.
func (x *itemIndex) candidates(v any) []int {
	found := slices.Concat(x.with[bucket(v)], x.without)
	slices.Sort(found)
	return found
}

// bucket is the same for equal values: a whole number equals one with a point.
func bucket(given any) string {
	switch v := value.NewValueInterface(given); {
	case v.IsString():
		return "s" + v.AsString()
	case v.IsInt():
		return number(float64(v.AsInt()))
	case v.IsFloat():
		return number(v.AsFloat())
	}
	return ""
}

func number(f float64) string {
	if f == 0 {
		f = 0 // -0 equals it
	}
	return "n" + strconv.FormatFloat(f, 'g', -1, 64)
}
