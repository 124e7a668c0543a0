package cluster

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/render/page"
)

// Alone is a manifest that no live object is of.
type Alone struct {
	document manifest.Document
	Key      live.Key
	// Meant is the live object that may be meant, as a question; empty for none.
	Meant string
}

// String says so of the manifest.
func (u Alone) String() string {
	if u.Meant == "" {
		return fmt.Sprintf("%s: no live object is %s", u.document.Source, u.Key)
	}
	return fmt.Sprintf("%s: no live object is %s; %s", u.document.Source, u.Key, u.Meant)
}

// Unpaired are the manifests that no live object is of, in their order and each
// object once: a plan that leaves one out without a word would be believed to know
// it.
func (c *Cluster) Unpaired(manifests []manifest.Document) []Alone {
	absent := newAbsences(manifests)
	theirs := map[live.Key]bool{}
	for _, d := range manifests {
		theirs[c.Scope.Key(d.Identity)] = true
	}
	lives := map[live.Key]bool{}
	for _, o := range c.Live.Objects() {
		if lives[o.Key] = true; theirs[o.Key] {
			absent.see(o.Key)
			continue
		}
		absent.pass(o.Identity, o.Key)
	}
	var out []Alone
	for _, d := range manifests {
		key := c.Scope.Key(d.Identity)
		if !theirs[key] || lives[key] || d.Name == "" {
			continue
		}
		theirs[key] = false
		u := Alone{document: d, Key: key}
		if nearest, ok := absent.nearest(key, d.Namespace != ""); ok {
			u.Meant = fmt.Sprintf("the live files have %s. %s", placedName(nearest), page.Meant(placedName(nearest), TargetOf(d.Identity)))
		}
		out = append(out, u)
	}
	return out
}
