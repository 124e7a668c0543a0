// Package trees makes up values that are hard to write as YAML.
package trees

import (
	"math"
	"math/rand/v2"
	"strings"
)

var (
	pieces = []string{
		"", "a", "spec", "b c", "5", "0x1f", "1e3", "yes", "~", "<<", "=", "2026-11-21", "12:30", "- ",
		"? ", ": ", "#", "'", `"`, `\`, "\n", "\t", " ", "\x01", "\x7f", "\u0085", "\u00a0", "\u2028",
		"\ufeff", "\ufffd", "é", "世", "😀", "\xff", "<&>", "%", "@", "{", "[", strings.Repeat("long ", 40),
	}
	numbers = []float64{
		0,
		math.Copysign(0, -1),
		1.5,
		-2,
		1e6,
		123456789,
		1e15,
		1 << 53,
		1e20,
		1e21,
		1e22,
		-1e22,
		1e-7,
		5e-324,
		0.1,
		math.MaxFloat64,
	}
)

// Any is a tree of so many levels at most, of the types that JSON is decoded to.
func Any(rng *rand.Rand, depth int) any {
	n := rng.IntN(9)
	if depth == 0 {
		n = rng.IntN(6)
	}
	switch n {
	case 0:
		return numbers[rng.IntN(len(numbers))]
	case 1:
		return []any{nil, true, false, int64(7), int64(math.MinInt64), int64(math.MaxInt64)}[rng.IntN(6)]
	case 6:
		items := make([]any, rng.IntN(4))
		for i := range items {
			items[i] = Any(rng, depth-1)
		}
		return items
	case 7, 8:
		fields := map[string]any{}
		for range rng.IntN(5) {
			fields[Text(rng)] = Any(rng, depth-1)
		}
		return fields
	}
	return Text(rng)
}

// Text has some of what is hard to write, or nothing.
func Text(rng *rand.Rand) string {
	var b strings.Builder
	for range rng.IntN(4) {
		b.WriteString(pieces[rng.IntN(len(pieces))])
	}
	if rng.IntN(4000) == 0 {
		b.WriteString(strings.Repeat("k", 1100))
	}
	return b.String()
}
