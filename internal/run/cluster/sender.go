package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
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
	settings func() []map[string]any
}

// Sends reports whether a write is sent as the client sends it. Clients other than kubectl
// write to no subresource.
func (s *Sender) Sends(w engine.Write) bool {
	return s.Client != nil && w.Verb == api.Apply && (w.Subresource == "" || s.Client.Name == "kubectl")
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
	case name == client.Auto && f.Named && f.Manager != client.KubectlManager:
		name = s.Shown(f.Manager)
	case name == client.Auto && f.ClientSide():
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

// Shown is the client that a field manager is the name of, where the inputs show that it is
// at work: its settings are among them. Else there is none.
func (s *Sender) Shown(manager string) string {
	if about, is := client.Managing(manager); is && slices.ContainsFunc(s.settings(), about.IsSetting) {
		return about.Name
	}
	return client.None
}

// MakeClient is the client of a name; nil for none.
func (s *Sender) MakeClient(f *input.ClientFlags, name string, live iter.Seq[map[string]any]) (*client.Client, error) {
	settings := f.Settings
	settings.Namespace, settings.Objects, settings.Live = s.scope.namespace, s.settings(), live
	return client.New(name, f.Version, settings)
}

// foundSettings gives the objects of the inputs that clients take settings from, once they
// are asked for.
func (c *Cluster) foundSettings() func() []map[string]any {
	return sync.OnceValue(func() (out []map[string]any) {
		add := func(id manifest.Identity, decode func() (map[string]any, error)) {
			if !input.IsSetting(id) {
				return
			}
			if object, err := decode(); err == nil {
				out = append(out, object)
			}
		}
		for _, d := range slices.Concat(c.Manifests, c.Definitions) {
			add(d.Identity, func() (map[string]any, error) { return jsontree.Decode(d.JSON()) })
		}
		for _, o := range c.spare() {
			add(o.Identity, o.Decode)
		}
		return out
	})
}

// spare are the live objects that no manifest names, as far as they were kept.
func (c *Cluster) spare() []*live.Object {
	if len(c.Live.Spare()) == 0 {
		// Where the inputs are mixed, all are kept.
		return c.Live.Objects()
	}
	return c.Live.Spare()
}

// SendsFor finds the client of a run that asks for the next apply of a manager.
func (c *Cluster) SendsFor(ctx context.Context, f *input.ClientFlags) (err error) {
	c.none = f.Name == client.None
	pairs := c.allPairs()
	if c.Client, err = c.clientOf(f, pairs); err != nil || c.Client == nil {
		return err
	}
	if !f.Named {
		f.Sender = c.Client.Manager
	}
	c.planClient(ctx, f, pairs)
	return nil
}

// planClient lets the client see all manifests before the first is sent.
func (c *Cluster) planClient(ctx context.Context, f *input.ClientFlags, pairs []Pair) {
	c.App.Sender = f.Words
	if c.Client == nil {
		return
	}
	c.nameHooks(pairs)
	if c.Client.Plans() {
		var writes []engine.Write
		for _, p := range pairs {
			if p.Err == nil && p.Document.Name != "" {
				w := c.Apply(p)
				w.Manager = f.Sender
				writes = append(writes, w)
			}
		}
		if c.Client.Sorts() {
			c.course.goBy(c.Client.InOrder(writes), pairs)
			c.bringNeeded(ctx, f.Sender, pairs)
		}
		c.Client.Plan(ctx, c.Server, writes)
	}
	for _, p := range pairs {
		kind := input.KindOf(p.Document.Identity)
		key := client.Key{Group: kind.Group, Kind: kind.Kind, Namespace: p.Key.Namespace, Name: p.Document.Name}
		message := client.Unmapped(kind, p.Document.Namespace, p.Document.Name, p.Document.Source.File)
		_, comes := c.course.together.definitions[kind.GroupKind()]
		switch meant := engine.Unserved(c.Server, kind); {
		case f.Name != "kubectl":
		// kubectl looks up the kinds of all manifests before it applies the first.
		case meant != "":
			c.Client.RefuseUnmapped(key, message, meant)
		case comes:
			c.Client.Refuse(key, message)
		}
	}
	c.Notices = append(c.Notices, c.Client.Notices...)
}

// nameHooks gives manifests without a name the one that the client gives them.
func (c *Cluster) nameHooks(pairs []Pair) {
	if c.Client.NameOf == nil {
		return
	}
	for i := range pairs {
		p := &pairs[i]
		if p.Err != nil || p.Document.Name != "" {
			continue
		}
		object, err := jsontree.Decode(p.Document.JSON())
		if err != nil {
			continue
		}
		if p.Document.Name = c.Client.NameOf(object); p.Document.Name != "" {
			p.Key.Name = p.Document.Name
			p.caveats = append(p.caveats, report.Caveat{Kind: api.Input, Field: ".metadata.name",
				Message: c.Client.Title + " names the object by the revision and the time: the name here is a placeholder."})
		}
	}
}

// namespacePair is the namespace that the client creates before the manifests, where none of
// that name is live; nil for none.
func (c *Cluster) namespacePair() []Pair {
	if c.Client == nil || c.Client.Creates == nil {
		return nil
	}
	text, _ := json.Marshal(c.Client.Creates)
	documents, _ := manifest.Load([]string{"-"}, manifest.Options{Stdin: bytes.NewReader(text)})
	if len(documents) == 0 {
		return nil
	}
	p := Pair{Document: documents[0], Key: c.Key(documents[0].Identity), Number: -1}
	p.Document.Source = manifest.Source{File: "the namespace that " + c.Client.Title + " creates"}
	is := func(o *live.Object) bool { return c.Key(o.Identity) == p.Key }
	if slices.ContainsFunc(slices.Concat(c.spare(), c.Live.Kept()), is) {
		return nil
	}
	c.judgeAbsence(&p)
	return []Pair{p}
}

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
		if c.Client == nil && f.Name == client.Auto && f.Manager == client.KubectlManager {
			c.Client, _ = c.MakeClient(f, "kubectl", nil)
		}
		c.planClient(ctx, f, pairs)
		c.App.Client = f.Said(c.Client)
		chosen = append(c.namespacePair(), c.chosen(pairs)...)
	}()
	if !f.Named && c.Client == nil {
		if only := soleApplier(pairs); only != "" {
			f.Manager, f.Sender, c.App.Inferred = only, only, true
			if f.Name == client.Auto && !f.ClientSide() {
				c.Client, err = c.MakeClient(f, c.Shown(only), metadataOf(pairs))
			}
			return nil, err
		}
	}
	others, found := appliers(pairs, f.Manager)
	if found || len(others) == 0 {
		return nil, nil
	}
	given := f.Manager
	switch {
	case f.Named:
	case f.Name != client.Auto && f.Name != client.None:
		given += " (that of --client " + f.Name + ")"
	default:
		given += " (the default of --field-manager)"
	}
	caveat := report.Caveat{Kind: api.Input, Rule: report.RuleUnknownManager, Nearest: nearestManager(f.Manager, others),
		Message: fmt.Sprintf("No live object has an entry of the field manager %s; they are applied by %s.", given, Some(others))}
	for i := range pairs {
		if pairs[i].Live != nil {
			pairs[i].caveats = append(pairs[i].caveats, caveat)
		}
	}
	return nil, nil
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
