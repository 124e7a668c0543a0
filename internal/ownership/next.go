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

// Extends reports whether a value is another one with more keys in its maps, as the server
// fills defaults in. Same compares what is neither a map nor a list.
func Extends(value, said any, same func(value, said any) bool) bool {
	switch said := said.(type) {
	case map[string]any:
		has, ok := value.(map[string]any)
		for k, v := range said {
			at, there := has[k]
			ok = ok && there && Extends(at, v, same)
		}
		return ok
	case []any:
		has, ok := value.([]any)
		ok = ok && len(has) == len(said)
		for i := range said {
			ok = ok && Extends(has[i], said[i], same)
		}
		return ok
	}
	return same(value, said)
}
