package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/suggest"
)

// AppliedBy pairs the manifests for an apply by the field manager of a request. Where
// none is given, it is the one that applies all of the live objects. One that has no
// entry on any of the live objects, though others apply them, is doubted: with
// another name than the last apply had, nothing is dropped and everything conflicts.
func (c *Cluster) AppliedBy(ctx context.Context, f *input.ClientFlags) (chosen []Pair, err error) {
	pairs := c.allPairs()
	c.none = f.Name == client.None
	if c.Client, err = c.clientOf(f, pairs); err != nil {
		return nil, err
	}
	if c.Client != nil && !f.Named {
		f.Manager, f.Sender = c.Client.Manager, c.Client.Manager
	}
	defer func() {
		if c.Client == nil {
			c.Client = c.byManager(f)
		}
		c.planClient(ctx, f, chosen)
		c.App.Client = f.Said(c.Client)
		chosen = append(c.namespacePair(), chosen...)
	}()
	if !f.Named && c.Client == nil {
		if only := soleApplier(pairs); only != "" {
			f.Manager, f.Sender, c.App.Inferred = only, only, true
			if f.Name == client.Auto && !f.ClientSide() {
				c.Client, err = c.MakeClient(f, c.Shown(only), metadataOfLive(pairs))
			}
			return c.chosen(pairs), err
		}
	}
	manager := f.Manager
	others, found := appliers(pairs, manager)
	if found || len(others) == 0 {
		return c.chosen(pairs), nil
	}
	caveat := unknownManager(f, others)
	for i := range pairs {
		if pairs[i].Live != nil {
			pairs[i].caveats = append(pairs[i].caveats, caveat)
		}
	}
	return c.chosen(pairs), nil
}

// soleApplier is the one field manager that has an Apply entry on all of the live objects;
// empty where there are none or several.
func soleApplier(pairs []Pair) string {
	var common []string
	first := true
	for _, p := range pairs {
		if p.Live == nil {
			continue
		}
		object, err := p.Live.Metadata()
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
func appliers(pairs []Pair, manager string) (names []string, found bool) {
	asked := 0
	for _, p := range pairs {
		if p.Live == nil {
			continue
		}
		if asked++; asked > mostAsked {
			return nil, true
		}
		object, err := p.Live.Metadata()
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

func unknownManager(f *input.ClientFlags, others []string) report.Caveat {
	given := f.Manager
	switch {
	case f.Named:
	case f.Name != client.Auto && f.Name != client.None:
		given += " (that of --client " + f.Name + ")"
	default:
		given += " (the default of --field-manager)"
	}
	return report.Caveat{Kind: api.Input, Rule: report.RuleUnknownManager, Nearest: nearestManager(f.Manager, others),
		Message: fmt.Sprintf("No live object has an entry of the field manager %s; they are applied by %s.", given, Some(others))}
}

// nearestManager is the one that is most likely meant: one with the name as a part,
// or of a like name, or the only one where none was named; empty where none is.
func nearestManager(manager string, others []string) string {
	if len(others) == 1 && manager == input.DefaultManager {
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
