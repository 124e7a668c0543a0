package ownership

import (
	"slices"

	"github.com/ssactl/ssactl/internal/report"
)

// Next is what a write does to an object in a state.
type Next struct {
	report.Result
	before map[string]any
}

// Left is the object afterwards: as it was, where the write is refused.
func (n Next) Left() map[string]any {
	if n.Object == nil {
		return n.before
	}
	return n.Object
}

// Against are the managers that the write conflicts with, sorted.
func (n Next) Against() []string {
	var out []string
	for _, c := range n.Conflicts {
		out = append(out, c.Manager)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
