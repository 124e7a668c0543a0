package client

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// doubts are the reasons for which the answer for an object may be another one.
func (c *Client) doubts(w engine.Write) (out []report.Caveat) {
	if c.does.Doubts != nil {
		out = c.does.Doubts(w)
	}
	out = append(out, c.settingDoubts(w)...)
	others := slices.DeleteFunc(slices.Collect(maps.Keys(c.unanswered)), func(k Key) bool { return k == KeyOf(w) })
	slices.SortFunc(others, func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	if len(others) > 0 {
		out = append(out, report.Caveat{Kind: api.Input, Message: fmt.Sprintf(
			"There is no answer for %s %s: if it is refused, %s may not apply the other objects.",
			others[0].Kind,
			others[0].Name,
			c.Title,
		)})
	}
	return out
}

// settingDoubts say that the settings are a manifest's, and that the object is of another
// owner than they are.
func (c *Client) settingDoubts(w engine.Write) (out []report.Caveat) {
	if c.Brought != nil {
		out = append(out, report.Caveat{Kind: api.Input, Message: fmt.Sprintf(
			"The settings are those of the %s %s in %s, a manifest: no live object has them.",
			c.Setting.Kind, c.Setting.Name, placeOf(*c.Brought))})
	}
	if c.does.Foreign == nil {
		return out
	}
	if owner := c.does.Foreign(Live(w)); owner != "" {
		out = append(out, report.Caveat{Kind: api.Input, Message: fmt.Sprintf(
			"The live object is of the %s %s: what %s ignores of its own objects is not ignored here.",
			c.Setting.Kind, owner, c.Setting.Name)})
	}
	return out
}
