package migration

import (
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// coOwners are the managers that own fields which the target owns too: such a
// field stays when the manifest drops it.
func (s *subject) coOwners(c claims, after managedfields.Owners) []CoOwner {
	out := []CoOwner{}
	own := c.set.Leaves()
	for _, e := range after.Readable() {
		if e.Operation == managedfields.Apply && e.Manager == s.to.Manager && e.Subresource == s.opts.Subresource {
			continue
		}
		set := convert(s.Object, e.Set, e.APIVersion, c.version).set
		var shared []string
		for p := range own.All() {
			if managedfields.Covers(set, p) {
				shared = append(shared, p.String())
			}
		}
		if shared == nil {
			continue
		}
		slices.Sort(shared)
		k := lookUp(e.Manager)
		o := CoOwner{Writer: report.WriterOf(e), Fields: shared, About: k.about, Add: e.Operation == managedfields.Update && k.role != controller && e.Subresource != "status"}
		out = append(out, o)
		s.tellCoOwner(o)
	}
	return out
}

func (s *subject) tellCoOwner(o CoOwner) {
	var hint, about text.Text
	if o.Add {
		hint = text.New("%v makes it let go", s.fromFlag(o.Manager))
	}
	if o.About != "" {
		about = text.New(", %v,", text.Name(o.About))
	}
	n := len(o.Fields)
	s.find(coOwns, "", text.New("%v%v also owns %v: when the manifest drops %v, %v",
		owner(o.Writer), about, listed(o.Fields), text.Agree(n, "it", "them"), text.Agree(n, "it stays", "they stay")), hint)
}
