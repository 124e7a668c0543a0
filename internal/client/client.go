package client

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Client is a client with its settings.
type Client struct {
	about.Program
	Version string
	// Force: it takes what others own. ClientSide: it sends patches, which never conflict.
	Force, ClientSide bool
	// Assumes is the setting by which it goes for want of inputs; empty for none.
	Assumes string
	// Setting names the object that the settings are from; zero for none. Brought is where
	// it stands among the manifests; nil where it is live.
	Setting Key
	Brought *report.Source
	// Notices say what it makes of the inputs.
	Notices []string
	// Stops: once an object is refused, nothing is deleted.
	Stops bool
	// Prunes reports whether a live object that no manifest names is deleted, and by
	// which propagation policy.
	Prunes func(Key, func() map[string]any) (propagation string, prune bool)
	// Decides is what decides whether a live object is deleted whose manifest is gone, where no
	// input has it; zero where that is known.
	Decides func(live map[string]any) Deciding
	// Applied is what it applied last to an object, where its settings say so; nil for
	// nothing.
	Applied func(Key) map[string]any
	// Creates is the namespace that it creates before all others, where there is none of
	// that name; nil for none. Adopts: it writes it to a live one too.
	Creates map[string]any
	Adopts  bool
	// Spare are the live objects that no manifest names, for Plan; nil where none are known.
	Spare iter.Seq2[Key, func() map[string]any]
	// Waits says why the client waits before it deletes a live object, and with it before
	// all that follows; empty where it does not.
	Waits func(Key) string
	// Stopped are the objects that the client does not come to.
	Stopped map[Key]Stop
	// unanswered are those that may be refused or not, and with them others.
	unanswered map[Key]bool
	// Nameless: it sends objects without a name, too.
	Nameless bool
	// Brings reports whether a kind is defined by nothing but a manifest of the run.
	Brings func(schema.GroupKind) bool
	// NameOf is the name that it gives to a manifest without one; empty for none.
	NameOf func(manifest map[string]any) string
	// lineOf is LineOf of the settings.
	lineOf func(Key, fieldpath.Path) *report.Source
	does   Behavior
}

// Behavior is how a client works. All but Send may be nil, if a client has nothing of the kind.
type Behavior struct {
	// Send sends the requests for a manifest.
	Send func(*Sequence, engine.Write)
	// Plan finds what all manifests together decide.
	Plan func(context.Context, api.Server, []engine.Write)
	// Sort gives manifests in the order in which they are sent, if that is not their own.
	Sort func([]engine.Write) []engine.Write
	// Creating finds the namespace that the client creates.
	Creating func([]engine.Write)
	// After is the client once a write has succeeded, if it compares with more than the live
	// object.
	After func(engine.Write) *Client
	// Doubts are why the answer for an object may be another one.
	Doubts func(engine.Write) []report.Caveat
	// Hook are the events for which a manifest, or the live object of one, is a hook that
	// runs; empty for others.
	Hook func(w engine.Write, object map[string]any) string
	// Owns reports whether an object has settings of the run, besides Setting.
	Owns func(Key) bool
	// Foreign is the owner of a live object that is not of this run; empty for none.
	Foreign func(live map[string]any) string
}

// Of is a client of a program in a version, or in the first that the program has if it is empty. It does
// nothing until Behave says how it works.
func Of(program about.Program, version string, s Settings) *Client {
	return &Client{
		Program: program, Version: cmp.Or(version, program.Versions[0].Name),
		Stopped: map[Key]Stop{}, unanswered: map[Key]bool{},
		Prunes:  func(Key, func() map[string]any) (string, bool) { return "", false },
		Decides: func(map[string]any) Deciding { return Deciding{} },
		Applied: func(Key) map[string]any { return nil },
		Waits:   func(Key) string { return "" },
		Brings:  func(schema.GroupKind) bool { return false },
		lineOf:  s.LineOf,
	}
}

// Behave has the client work in a way.
func (c *Client) Behave(b Behavior) { c.does = b }

// CreatesNamespace has the client create a namespace that no manifest is.
func (c *Client) CreatesNamespace(name string, metadata map[string]any, writes []engine.Write) {
	is := func(w engine.Write) bool { return KeyOf(w) == Key{Kind: "Namespace", Name: name} }
	if name == "" || slices.ContainsFunc(writes, is) {
		return
	}
	metadata = maps.Clone(metadata)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["name"] = name
	c.Creates = map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
}

// Makes reports whether an object is the namespace that the client creates.
func (c *Client) Makes(key Key) bool {
	return c.Creates != nil && key == Key{Kind: "Namespace", Name: objects.Text(c.Creates, "metadata", "name")}
}

// Deciding is an object that decides something, by what is the case with it: an Application, if it
// prunes.
type Deciding struct{ Object, If string }

// Key names an object.
type Key struct{ Group, Kind, Namespace, Name string }

// KeyIn is the key of an object of a kind; the namespace is empty where the kind has none.
func KeyIn(kind schema.GroupKind, namespace, name string) Key {
	return Key{kind.Group, kind.Kind, namespace, name}
}

// KeyOf names the object of a write.
func KeyOf(w engine.Write) Key { return Key{w.Kind.Group, w.Kind.Kind, w.Namespace, w.Name} }

// Creating finds the namespace that the client creates before the manifests, or writes to.
func (c *Client) Creating(writes []engine.Write) {
	if c.does.Creating != nil {
		c.does.Creating(writes)
	}
}

// After is the client once a write of it has succeeded: what it compares the next run with is
// what it has sent.
func (c *Client) After(w engine.Write) *Client {
	if c.does.After == nil {
		return c
	}
	return c.does.After(w)
}

// Plans reports whether Plan has to see all manifests before the first Send.
func (c *Client) Plans() bool { return c.does.Plan != nil }

// Plan finds what all manifests together decide: which of them the client does not come
// to.
func (c *Client) Plan(ctx context.Context, server api.Server, writes []engine.Write) {
	c.Stopped, c.unanswered = map[Key]Stop{}, map[Key]bool{}
	if c.does.Plan != nil {
		c.does.Plan(ctx, server, writes)
	}
}

// Sorts reports whether the client sends manifests in an order of its own.
func (c *Client) Sorts() bool { return c.does.Sort != nil }

// InOrder are manifests in the order in which the client sends them.
func (c *Client) InOrder(writes []engine.Write) []engine.Write { return c.does.Sort(writes) }

// Said is what the first line of an answer says of the client.
func (c *Client) Said() string {
	how := "does not force"
	switch {
	case c.ClientSide:
		how = "client-side: nothing conflicts"
	case c.Force:
		how = "forces"
	}
	if c.Assumes != "" {
		how += ", " + c.Assumes + " assumed"
	}
	return c.Title + " " + c.Version + ", " + how
}
