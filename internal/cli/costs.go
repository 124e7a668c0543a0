package cli

import (
	"slices"

	"github.com/ssactl/ssactl/internal/render/stream"
)

// shownCosts is how many of the slowest and of the largest objects are named.
const shownCosts = 5

// costs keep the few objects that cost most.
type costs struct{ slowest, largest []stream.Timing }

func (c *costs) add(t stream.Timing) {
	c.slowest = atMost(c.slowest, t, func(a, b stream.Timing) bool { return a.Took > b.Took })
	c.largest = atMost(c.largest, t, func(a, b stream.Timing) bool { return a.Bytes > b.Bytes })
}

// atMost puts a timing before the first that it is more than, and drops what is
// too many.
func atMost(list []stream.Timing, t stream.Timing, more func(a, b stream.Timing) bool) []stream.Timing {
	i := slices.IndexFunc(list, func(b stream.Timing) bool { return more(t, b) })
	if i < 0 {
		i = len(list)
	}
	list = slices.Insert(list, i, t)
	return list[:min(len(list), shownCosts)]
}

// timings are nil where nobody asked for them, or nothing was answered.
func (c *costs) timings() *stream.Timings {
	if c == nil || len(c.slowest) == 0 {
		return nil
	}
	return &stream.Timings{Slowest: c.slowest, Largest: c.largest}
}
