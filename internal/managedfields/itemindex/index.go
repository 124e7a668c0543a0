package itemindex

import (
	"slices"
	"strconv"

	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// Long is from how many items on an index is worth making.
const Long = 64

// Index knows the items of a list by one value of each.
type Index struct {
	with    map[string][]int
	without []int
}

// New makes an index of n items; value gives that of an item, and false where
// it has none.
func New(n int, value func(i int) (any, bool)) *Index {
	x := &Index{with: map[string][]int{}}
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

// Candidates are the places of all items that may have a value, and of those
// that have none, in their order: each that equals it by structured-merge-diff's
// rules (value.Equals), and perhaps others.
func (x *Index) Candidates(v any) []int {
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
