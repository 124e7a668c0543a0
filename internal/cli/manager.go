package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/suggest"
)

// appliedBy pairs the manifests for an apply by the field manager of a request. Where
// none is given, it is the one that applies all of the live objects. One that has no
// entry on any of the live objects, though others apply them, is doubted: with
// another name than the last apply had, nothing is dropped and everything conflicts.
func (c *cluster) appliedBy(ctx context.Context, f *clientFlags) (chosen []pair, err error) {
	pairs := c.allPairs()
	c.none = f.name == client.None
	if c.client, err = c.clientOf(f, pairs); err != nil {
		return nil, err
	}
	if c.client != nil && !f.named {
		f.manager, f.sender = c.client.Manager, c.client.Manager
	}
	defer func() {
		if c.client == nil {
			c.client = c.byManager(f)
		}
		c.planClient(ctx, f, chosen)
		c.app.client = f.said(c.client)
		chosen = append(c.namespacePair(), chosen...)
	}()
	if !f.named && c.client == nil {
		if only := soleApplier(pairs); only != "" {
			f.manager, f.sender, c.app.inferred = only, only, true
			return c.chosen(pairs), nil
		}
	}
	manager := f.manager
	others, found := appliers(pairs, manager)
	if found || len(others) == 0 {
		return c.chosen(pairs), nil
	}
	caveat := unknownManager(f, others)
	for i := range pairs {
		if pairs[i].live != nil {
			pairs[i].caveats = append(pairs[i].caveats, caveat)
		}
	}
	return c.chosen(pairs), nil
}

// soleApplier is the one field manager that has an Apply entry on all of the live objects;
// empty where there are none or several.
func soleApplier(pairs []pair) string {
	var common []string
	first := true
	for _, p := range pairs {
		if p.live == nil {
			continue
		}
		object, err := p.live.Metadata()
		if err != nil {
			return ""
		}
		var here []string
		for _, role := range managedfields.Listed(object) {
			if role.Operation == managedfields.Apply && role.Subresource == "" {
				here = append(here, role.Manager)
			}
		}
		if first {
			common, first = here, false
		}
		common = slices.DeleteFunc(common, func(name string) bool { return !slices.Contains(here, name) })
		if len(common) == 0 {
			return ""
		}
	}
	if len(common) != 1 {
		return ""
	}
	return common[0]
}

// mostAsked is how many live objects are looked into for a field manager.
const mostAsked = 1000

// appliers are the managers of the Apply entries of live objects, sorted; found is
// true where one of the objects has an entry of this manager, and where there are
// too many to know.
func appliers(pairs []pair, manager string) (names []string, found bool) {
	asked := 0
	for _, p := range pairs {
		if p.live == nil {
			continue
		}
		if asked++; asked > mostAsked {
			return nil, true
		}
		object, err := p.live.Metadata()
		if err != nil {
			continue
		}
		for _, role := range managedfields.Listed(object) {
			if role.Manager == manager {
				return nil, true
			}
			if role.Operation == managedfields.Apply {
				names = append(names, role.Manager)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), false
}

func unknownManager(f *clientFlags, others []string) report.Caveat {
	given := f.manager
	switch {
	case f.named:
	case f.name != client.Auto && f.name != client.None:
		given += " (that of --client " + f.name + ")"
	default:
		given += " (the default of --field-manager)"
	}
	return report.Caveat{Kind: api.Input, Rule: report.RuleUnknownManager, Nearest: nearestManager(f.manager, others),
		Message: fmt.Sprintf("No live object has an entry of the field manager %s; they are applied by %s.", given, some(others))}
}

// nearestManager is the one that is most likely meant: one with the name as a part,
// or of a like name, or the only one where none was named; empty where none is.
func nearestManager(manager string, others []string) string {
	if len(others) == 1 && manager == defaultManager {
		return others[0]
	}
	best, distance := "", max(1, len(manager)/4)+1
	for _, other := range others {
		d := suggest.Distance(manager, other)
		if strings.Contains(other, manager) || strings.Contains(manager, other) {
			d = 1
		}
		if d < distance {
			best, distance = other, d
		}
	}
	return best
}
