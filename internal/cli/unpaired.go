package cli

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/render/view"
)

// alone is a manifest that no live object is of.
type alone struct {
	document manifest.Document
	key      live.Key
	// meant is the live object that may be meant, as a question; empty for none.
	meant string
}

// String says so of the manifest.
func (u alone) String() string {
	if u.meant == "" {
		return fmt.Sprintf("%s: no live object is %s", u.document.Source, u.key)
	}
	return fmt.Sprintf("%s: no live object is %s; %s", u.document.Source, u.key, u.meant)
}

// unpaired are the manifests that no live object is of, in their order and each
// object once: a plan that leaves one out without a word would be believed to know
// it.
func (c *cluster) unpaired(manifests []manifest.Document) []alone {
	absent := newAbsences(manifests)
	theirs := map[live.Key]bool{}
	for _, d := range manifests {
		theirs[c.scope.key(d.Identity)] = true
	}
	lives := map[live.Key]bool{}
	for _, o := range c.live.Objects() {
		if lives[o.Key] = true; theirs[o.Key] {
			absent.see(o.Key)
			continue
		}
		absent.pass(o.Identity, o.Key)
	}
	var out []alone
	for _, d := range manifests {
		key := c.scope.key(d.Identity)
		if !theirs[key] || lives[key] || d.Name == "" {
			continue
		}
		theirs[key] = false
		u := alone{document: d, key: key}
		if nearest, ok := absent.nearest(key, d.Namespace != ""); ok {
			u.meant = fmt.Sprintf("the live files have %s. %s", placedName(nearest), view.Meant(placedName(nearest), targetOf(d.Identity)))
		}
		out = append(out, u)
	}
	return out
}
