package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// maxGroups bounds what is kept of each kind of thing: hostile input has as many different
// ones as it wants.
const maxGroups = 1000

// maxFirst is how many objects are named in a line.
const maxFirst = 5

// Objects count objects by their kinds.
type Objects struct {
	N int
	// First are the first objects, and Each all of them, as far as there is room.
	First, Each []report.Target
	// Kinds are in the order in which they came.
	Kinds []KindCount
}

// KindCount is how many objects of a kind there are.
type KindCount struct {
	Kind string
	N    int
}

// Add counts an object, and keeps it.
func (o *Objects) Add(t report.Target) {
	if len(o.Each) < maxGroups {
		o.Each = append(o.Each, t)
	}
	o.Count(t)
}

// Name keeps an object to be named, as long as they are few.
func (o *Objects) Name(t report.Target) {
	if len(o.First) < maxFirst && !slices.Contains(o.First, t) {
		o.First = append(o.First, t)
	}
}

// Clone are the same, to be added to.
func (o *Objects) Clone() Objects {
	return Objects{N: o.N, First: slices.Clone(o.First), Each: slices.Clone(o.Each), Kinds: slices.Clone(o.Kinds)}
}

// Count counts an object.
func (o *Objects) Count(t report.Target) {
	o.N++
	o.Name(t)
	i := slices.IndexFunc(o.Kinds, func(c KindCount) bool { return c.Kind == t.Kind })
	if i < 0 {
		if len(o.Kinds) >= maxGroups {
			return
		}
		i = len(o.Kinds)
		o.Kinds = append(o.Kinds, KindCount{Kind: t.Kind})
	}
	o.Kinds[i].N++
}

// fewKinds is how many kinds a sentence on findings names, and shownKinds how many one on
// objects alone does.
const fewKinds, shownKinds = 2, 5

// Gist is what kinds there are, or how many objects of many kinds.
func (o *Objects) Gist() string {
	if len(o.Kinds) > fewKinds {
		return text.Count(o.N, "object").Name
	}
	return o.String()
}

// String lists the kinds, those of most objects first.
func (o *Objects) String() string {
	list := slices.Clone(o.Kinds)
	slices.SortStableFunc(list, func(a, b KindCount) int { return cmp.Or(b.N-a.N, strings.Compare(a.Kind, b.Kind)) })
	var parts []string
	for i, c := range list {
		if i == shownKinds && len(list) > i+1 {
			parts = append(parts, fmt.Sprintf("%d other kinds", len(list)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%d %s", c.N, text.Agree(c.N, c.Kind, text.Plural(c.Kind))))
	}
	return strings.Join(parts, ", ")
}
