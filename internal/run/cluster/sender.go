package cluster

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/client/clients"
	"github.com/ssactl/ssactl/internal/client/helm"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/suggest"
)

// Sender is whose requests are simulated.
type Sender struct {
	// Client sends them; nil for the one bare request.
	Client *client.Client
	// none: the client is said to be none.
	none  bool
	scope *Scope
	// settings are the objects of the inputs that clients take settings from.
	settings func() settingsFound
	// lineOf is where a field of one of them stands; nil for no line.
	lineOf func(setting client.Key, path fieldpath.Path) *report.Source
	// disguise hides values of Secrets from programs of the settings; nil to show them.
	disguise api.Disguise
	// others gives the metadata of live objects that no manifest names.
	others iter.Seq[map[string]any]
	// before gives the manifests before the change that is asked about; empty for none.
	before func() string
	// selector is that of the manifests; nil for none.
	selector labels.Selector
}

// Sends reports whether a write is sent as the client sends it. Clients other than kubectl
// write to no subresource.
func (s *Sender) Sends(w engine.Write) bool {
	return s.Client != nil && w.Verb == api.Apply && (w.Subresource == "" || s.Client.Name == "kubectl")
}

// MayBeKubectl reports whether a field manager may be a name that kubectl was given:
// nothing says which client it is, and no other client has the name.
func (s *Sender) MayBeKubectl(manager string) bool {
	program, known := about.Managing(manager)
	return s.Client == nil && !s.none && (!known || program.Name == "kubectl")
}

// Sent is the result of an apply with all requests of the client, or of kubectl where its
// field manager applies.
func (s *Sender) Sent(ctx context.Context, server api.Server, w engine.Write) report.Result {
	switch {
	case s.Sends(w):
		w.Force = w.Force || s.Client.Force
		return s.Client.Simulate(ctx, server, w)
	case s.none:
		return engine.Simulate(ctx, server, w)
	}
	return client.Simulate(ctx, server, w)
}

// clientOf is the client of a run: the one that is named, or that the field manager is
// the name of and the live objects show; nil for none.
func (s *Sender) clientOf(f *input.ClientFlags, pairs []Pair) (*client.Client, error) {
	name := f.Name
	switch {
	case name == about.Auto && f.Named && f.Manager != client.KubectlManager:
		name = s.Shown(f.Manager)
	case name == about.Auto && f.ClientSide():
		name = "kubectl"
	}
	return s.MakeClient(f, name, metadataOf(pairs))
}

// metadataOf gives the metadata of the live objects, as far as it can be read.
func metadataOf(pairs []Pair) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		for _, p := range pairs {
			if p.Live == nil {
				continue
			}
			if object, err := p.Live.Metadata(); err == nil && !yield(object) {
				return
			}
		}
	}
}

// Shown is the client that a field manager is the name of, where the live objects show that
// it is at work: its settings are among them. Those of manifests show nothing.
func (s *Sender) Shown(manager string) string {
	if program, is := about.Managing(manager); is && slices.ContainsFunc(s.settings().live, program.IsSetting) {
		return program.Name
	}
	return about.None
}

// MakeClient is the client of a name; nil for none.
func (s *Sender) MakeClient(f *input.ClientFlags, name string, live iter.Seq[map[string]any]) (*client.Client, error) {
	settings, found := f.Settings, s.settings()
	settings.Namespace, settings.Live, settings.Others = s.scope.namespace, live, s.others
	settings.Objects, settings.Brought = found.live, found.brought
	settings.LineOf, settings.Selector = s.lineOf, s.selector
	settings.Disguise, settings.Former = s.disguise, s.before()
	c, err := clients.New(name, f.Version, settings)
	if wrong := (*helm.ReleaseError)(nil); errors.As(err, &wrong) && found.places[wrong.Secret] != "" {
		err = fmt.Errorf("%s: %w", found.places[wrong.Secret], err)
	}
	return c, err
}

// SendsFor finds the client of a run that asks for the next apply of a manager.
func (c *Cluster) SendsFor(ctx context.Context, f *input.ClientFlags) (err error) {
	c.none = f.Name == about.None
	pairs := c.allPairs()
	if c.Client, err = c.clientOf(f, pairs); err != nil || c.Client == nil {
		return err
	}
	if !f.Named {
		f.Sender = c.Client.Manager
	}
	plan{c, f, pairs}.show(ctx)
	return nil
}

// AppliedBy pairs the manifests for an apply by the field manager of a request. Where
// none is given, it is the one that applies all of the live objects. One that has no
// entry on any of the live objects, though others apply them, is doubted: with
// another name than the last apply had, nothing is dropped and everything conflicts.
func (c *Cluster) AppliedBy(ctx context.Context, f *input.ClientFlags) (chosen []Pair, err error) {
	pairs := c.allPairs()
	c.none = f.Name == about.None
	if c.Client, err = c.clientOf(f, pairs); err != nil {
		return nil, err
	}
	if c.Client != nil && !f.Named {
		f.Manager, f.Sender = c.Client.Manager, c.Client.Manager
	}
	defer func() {
		if c.Client == nil && f.Name == about.Auto && f.Manager == client.KubectlManager {
			c.Client, _ = c.MakeClient(f, "kubectl", nil)
		}
		p := plan{c, f, pairs}
		if c.shownToPlan(f) {
			p.holdSpare(ctx)
		}
		p.applyTwice()
		p.show(ctx)
		c.leaveClaims()
		c.App.Client = f.Said(c.Client)
		chosen = append(p.namespace(), c.chosen(pairs)...)
	}()
	if !f.Named && c.Client == nil {
		if only := soleApplier(pairs); only != "" {
			f.Manager, f.Sender, c.App.Inferred = only, only, true
			if f.Name == about.Auto && !f.ClientSide() {
				c.Client, err = c.MakeClient(f, c.Shown(only), metadataOf(pairs))
			}
			return nil, err
		}
	}
	doubtManager(f, pairs)
	return nil, nil
}

// shownToPlan reports whether the live objects show a client that needs others than those of the
// manifests.
func (c *Cluster) shownToPlan(f *input.ClientFlags) bool {
	return c.Client != nil && c.Client.Plans() && f.Name == about.Auto && (!f.Named || c.flags.Spare != nil)
}

// doubtManager gives pairs a caveat where no live object has an entry of the field manager,
// though others apply them.
func doubtManager(f *input.ClientFlags, pairs []Pair) {
	others, found := appliers(pairs, f.Manager)
	if found || len(others) == 0 {
		return
	}
	given := f.Manager
	switch {
	case f.Named:
	case f.Name != about.Auto && f.Name != about.None:
		given += " (that of --client " + f.Name + ")"
	default:
		given += " (the default of --field-manager)"
	}
	caveat := report.Caveat{Kind: api.Input, Rule: report.RuleUnknownManager, Nearest: nearestManager(f.Manager, others),
		Message: fmt.Sprintf(
			"No live object has an entry of the field manager %s; they are applied by %s.",
			given,
			Some(others),
		)}
	for i := range pairs {
		if pairs[i].Live != nil {
			pairs[i].caveats = append(pairs[i].caveats, caveat)
		}
	}
}

// soleApplier is the one field manager that has an Apply entry on all of the live objects;
// empty where there are none or several.
func soleApplier(pairs []Pair) string {
	var common []managedfields.Role
	first := true
	for _, p := range pairs {
		if p.Live == nil {
			continue
		}
		object, err := p.Live.Metadata()
		if err != nil {
			return ""
		}
		roles := slices.DeleteFunc(managedfields.Listed(object), func(r managedfields.Role) bool {
			return r.Operation != managedfields.Apply || r.Subresource != ""
		})
		if first {
			common, first = slices.Clone(roles), false
		}
		common = slices.DeleteFunc(common, func(r managedfields.Role) bool { return !slices.Contains(roles, r) })
		if len(common) == 0 {
			return ""
		}
	}
	if len(common) != 1 {
		return ""
	}
	return common[0].Manager
}

// mostAsked is how many live objects are looked into for a field manager.
const mostAsked = 1000

// appliers are the managers of the Apply entries of live objects, sorted; found is
// true where one of the objects has an entry of this manager, and where there are
// too many to know.
func appliers(pairs []Pair, manager string) (names []string, found bool) {
	pairs = slices.DeleteFunc(slices.Clone(pairs), func(p Pair) bool { return p.Live == nil })
	for _, p := range pairs[:min(len(pairs), mostAsked)] {
		// One that cannot be read has no entries.
		object, _ := p.Live.Metadata()
		for _, role := range managedfields.Listed(object) {
			if role.Manager == manager {
				return nil, true
			}
			if role.Operation == managedfields.Apply {
				names = append(names, role.Manager)
			}
		}
	}
	if len(pairs) > mostAsked {
		return nil, true
	}
	return distinct(names), false
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
