package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
)

// settings are the objects of the inputs that clients take settings from.
func (c *Cluster) settings() []map[string]any {
	c.findSettings.Do(func() { c.foundSettings = c.settingObjects() })
	return c.foundSettings
}

func (c *Cluster) settingObjects() []map[string]any {
	var out []map[string]any
	add := func(d manifest.Document) {
		if !input.IsSetting(d.Identity) {
			return
		}
		if object, err := jsontree.Decode(d.JSON()); err == nil {
			out = append(out, object)
		}
	}
	for _, d := range slices.Concat(c.Manifests, c.Definitions) {
		add(d)
	}
	for _, o := range c.spare() {
		if input.IsSetting(o.Identity) {
			if object, err := o.Decode(); err == nil {
				out = append(out, object)
			}
		}
	}
	return out
}

// spare are the live objects that no manifest names, as far as they were kept.
func (c *Cluster) spare() []*live.Object {
	if len(c.Live.Spare()) == 0 {
		// Where the inputs are mixed, all are kept.
		return c.Live.Objects()
	}
	return c.Live.Spare()
}

// clientOf is the client of a run: the one that is named, or that the field manager is
// the name of and the live objects show; nil for none.
func (c *Cluster) clientOf(f *input.ClientFlags, pairs []Pair) (*client.Client, error) {
	name := f.Name
	switch {
	case name == client.Auto && f.Named && f.Manager != client.KubectlManager:
		name = c.Shown(f.Manager)
	case name == client.Auto && f.ClientSide():
		name = "kubectl"
	}
	return c.MakeClient(f, name, metadataOfLive(pairs))
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

// byManager is the client of the field manager, once that is known.
func (c *Cluster) byManager(f *input.ClientFlags) *client.Client {
	if f.Name != client.Auto || f.Manager != client.KubectlManager {
		return nil
	}
	made, _ := c.MakeClient(f, "kubectl", nil)
	return made
}

// Shown is the client that a field manager is the name of, where the inputs show that it is
// at work: its settings are among them. Else there is none.
func (c *Cluster) Shown(manager string) string {
	if about, is := client.Managing(manager); is && slices.ContainsFunc(c.settings(), about.IsSetting) {
		return about.Name
	}
	return client.None
}

// MakeClient is the client of a name; nil for none.
func (c *Cluster) MakeClient(f *input.ClientFlags, name string, live iter.Seq[map[string]any]) (*client.Client, error) {
	s := f.Settings
	s.Namespace, s.Objects, s.Live = c.Scope.namespace, c.settings(), live
	return client.New(name, f.Version, s)
}

// metadataOfLive are the live objects of pairs, with no more than their metadata.
func metadataOfLive(pairs []Pair) iter.Seq[map[string]any] {
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

// planClient lets the client see all manifests before the first is sent.
func (c *Cluster) planClient(ctx context.Context, f *input.ClientFlags, pairs []Pair) {
	c.App.Sender = f.Words
	if c.Client == nil {
		return
	}
	if c.Client.Plans() {
		var writes []engine.Write
		for _, p := range pairs {
			if p.Err == nil && p.Document.Name != "" {
				w := c.Apply(p)
				w.Manager = f.Sender
				writes = append(writes, w)
			}
		}
		c.Client.Plan(ctx, c.Server, writes)
	}
	for _, p := range pairs {
		kind := input.KindOf(p.Document.Identity)
		if _, comes := c.together.definitions[kind.GroupKind()]; comes && f.Name == "kubectl" {
			// kubectl looks up the kinds of all manifests before it applies the first.
			c.Client.Refuse(client.Key{Group: kind.Group, Kind: kind.Kind, Namespace: p.Key.Namespace, Name: p.Document.Name}, fmt.Sprintf(
				"resource mapping not found for name: %q namespace: %q from %q: no matches for kind %q in version %q\nensure CRDs are installed first",
				p.Document.Name, p.Key.Namespace, p.Document.Source.File, kind.Kind, kind.GroupVersion()))
		}
	}
	c.Notices = append(c.Notices, c.Client.Notices...)
}

// namespacePair is the namespace that the client creates before the manifests, where none of
// that name is live; nil for none.
func (c *Cluster) namespacePair() []Pair {
	if c.Client == nil || c.Client.Creates() == nil {
		return nil
	}
	text, _ := json.Marshal(c.Client.Creates())
	documents, _ := manifest.Load([]string{"-"}, manifest.Options{Stdin: bytes.NewReader(text)})
	if len(documents) == 0 {
		return nil
	}
	p := Pair{Document: documents[0], Key: c.Scope.Key(documents[0].Identity)}
	p.Document.Source = manifest.Source{File: "the namespace that " + c.Client.Title + " creates"}
	is := func(o *live.Object) bool { return c.Scope.Key(o.Identity) == p.Key }
	if slices.ContainsFunc(slices.Concat(c.spare(), c.Live.Kept()), is) {
		return nil
	}
	c.judgeAbsence(&p)
	return []Pair{p}
}

// Deletion is the delete of a live object.
func (c *Cluster) Deletion(p Pair) engine.Write {
	w := engine.Write{
		Verb: api.Delete, Kind: input.KindOf(p.Document.Identity), Namespace: p.Key.Namespace, Name: p.Document.Name,
		PropagationPolicy: p.Propagation, Manager: c.Client.Manager, Now: c.Now, DryRun: c.dryRun, Detail: c.Detail, Schema: c.schema,
	}
	c.setLive(&w, p.Live)
	return w
}
