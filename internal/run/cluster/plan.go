package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
)

// plan is what the client of a run makes of all manifests before the first is sent.
type plan struct {
	*Cluster
	f     *input.ClientFlags
	pairs []Pair
}

// show lets the client see the manifests.
func (c plan) show(ctx context.Context) {
	c.App.Sender = c.f.Words
	if c.Client == nil {
		return
	}
	c.nameHooks()
	brought := c.course.together.definitions
	if !c.flags.InOrder {
		brought = findTogether(&c.World).definitions
	}
	c.Client.Brings = func(kind schema.GroupKind) bool {
		_, is := brought[kind]
		return is
	}
	if c.Client.Plans() {
		var writes []engine.Write
		for _, p := range c.pairs {
			if p.Err == nil && (p.Document.Name != "" || c.Client.Nameless && p.Document.GenerateName != "") {
				w := c.Apply(p)
				w.Manager = c.f.Sender
				writes = append(writes, w)
			}
		}
		if c.Client.Sorts() {
			c.course.goBy(c.Client.InOrder(writes), c.pairs)
			c.bringNeeded(ctx)
		}
		writes = append(writes, c.bringNamespace(ctx, writes)...)
		c.Client.Spare = c.spareMetadata()
		c.Client.Plan(ctx, c.Server, writes)
	}
	if c.f.Name == "kubectl" {
		c.refuseAsKubectl()
	}
	c.Notices = append(c.Notices, c.Client.Notices...)
	if at := c.Client.Brought; at != nil {
		of := c.Client.Setting
		c.App.Rule(report.Setting{Name: of.Kind, Values: []string{of.Name}, Source: *at, Message: fmt.Sprintf(
			"The settings are those of the %s %s in %s, a manifest: no live object has them.", of.Kind,
			of.Name, words.Place(at),
		)})
	}
}

// applyTwice has manifests of one object applied one after the other, each to what the one
// before leaves, as kubectl and Helm do.
func (c plan) applyTwice() {
	if c.Client == nil || c.Client.Name != "kubectl" && c.Client.Name != "helm" || !c.flags.InOrder || c.World.dryRun {
		return
	}
	for i, p := range c.pairs {
		var twice *TwiceError
		if errors.As(p.Err, &twice) {
			c.pairs[i].Err, c.pairs[i].Before = nil, &twice.First
			c.course.twice[p.Key] = true
		}
	}
}

// refuseAsKubectl refuses what kubectl refuses before it applies the first manifest: it looks
// up the kinds of all, and takes none of another namespace than -n.
func (c plan) refuseAsKubectl() {
	for _, p := range c.pairs {
		kind := input.KindOf(p.Document.Identity)
		key := client.Key{Group: kind.Group, Kind: kind.Kind, Namespace: p.Key.Namespace, Name: p.Document.Name}
		message := client.Unmapped(kind, p.Document.Namespace, p.Document.Name, p.Document.Source.File)
		switch meant := engine.Unserved(c.Server, kind); {
		case meant != "":
			c.Client.RefuseUnmapped(key, message, meant)
		case c.Client.Brings(kind.GroupKind()):
			c.Client.Refuse(key, message)
		case c.Scope.elsewhere(p.Document.Identity):
			c.Client.Refuse(key, client.Elsewhere(p.Document.Namespace, c.Scope.namespace))
		}
	}
}

// nameHooks gives manifests without a name the one that the client gives them.
func (c plan) nameHooks() {
	if c.Client.NameOf == nil {
		return
	}
	for i := range c.pairs {
		p := &c.pairs[i]
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

// bringNamespace makes the namespace that the client writes before the manifests part of the
// cluster, and gives the write.
func (c plan) bringNamespace(ctx context.Context, writes []engine.Write) (out []engine.Write) {
	c.Client.Creating(writes)
	for _, p := range c.namespace() {
		if p.Err != nil {
			continue
		}
		w := c.Apply(p)
		w.Manager = c.f.Sender
		c.course.Learn(p, c.Client.Simulate(ctx, c.Server, w))
		out = append(out, w)
	}
	return out
}

// spareMetadata gives the metadata of the live objects that no manifest names.
func (c plan) spareMetadata() iter.Seq2[client.Key, func() map[string]any] {
	return func(yield func(client.Key, func() map[string]any) bool) {
		for _, o := range c.NoManifest() {
			if !yield(c.clientKey(o), func() map[string]any { return metadata(o) }) {
				return
			}
		}
	}
}

// NoManifest are the live objects that no manifest names, as far as they were kept.
func (w *World) NoManifest() []*live.Object {
	named := map[live.Key]bool{}
	for _, d := range w.Manifests {
		named[w.Scope.Key(d.Identity)] = true
	}
	return slices.DeleteFunc(slices.Concat(spareOf(w.Live), w.Live.Kept()), func(o *live.Object) bool {
		return named[w.Scope.Key(o.Identity)]
	})
}

// Deletions are the live objects that the client deletes behind the manifests, or waits to
// delete.
func (c *Cluster) Deletions() []Pair {
	var out []Pair
	c.Answering.going = map[live.Key]bool{}
	for _, o := range c.NoManifest() {
		key := c.clientKey(o)
		p := Pair{Document: o.Document, Key: c.Scope.Key(o.Identity), Live: o, Waits: c.Client.Waits(key)}
		policy, prune := c.Client.Prunes(key, func() map[string]any { return metadata(o) })
		if p.Propagation = policy; prune || p.Waits != "" {
			out = append(out, p)
			c.Answering.going[p.Key] = true
		}
	}
	return out
}

// leaveClaims takes the claims of objects back that the client deletes: an autoscaler that goes scales
// nothing.
func (c *Cluster) leaveClaims() {
	if c.Client == nil || len(c.Claims) == 0 {
		return
	}
	for _, p := range c.Deletions() {
		if kind := groupKind(p.Key); writers.IsClaimant(kind) && p.Waits == "" {
			c.Claims.Leave(kind, p.Key.Namespace, p.Key.Name)
		}
	}
}

func (s *Scope) clientKey(o *live.Object) client.Key {
	key := s.Key(o.Identity)
	return client.Key{Group: key.Group, Kind: key.Kind, Namespace: key.Namespace, Name: key.Name}
}

// metadata is that of a live object; nil where it cannot be read.
func metadata(o *live.Object) map[string]any {
	object, _ := o.Metadata()
	return object
}

// namespace is the namespace that the client creates before the manifests, where none of
// that name is live or the client writes to that too; nil for none.
func (c plan) namespace() []Pair {
	if c.Client == nil || c.Client.Creates == nil {
		return nil
	}
	text, _ := json.Marshal(c.Client.Creates)
	documents, _ := manifest.Load([]string{"-"}, manifest.Options{Stdin: bytes.NewReader(text)})
	if len(documents) == 0 {
		return nil
	}
	p := Pair{Document: documents[0], Key: c.Key(documents[0].Identity), Number: -1}
	does := "creates"
	if c.Client.Adopts {
		does = "manages"
	}
	p.Document.Source = manifest.Source{File: "the namespace that " + c.Client.Title + " " + does}
	has := slices.Concat(spareOf(c.Live), c.Live.Kept())
	is := func(o *live.Object) bool { return c.Key(o.Identity) == p.Key }
	switch i := slices.IndexFunc(has, is); {
	case i < 0:
		c.judgeAbsence(&p)
	case !c.Client.Adopts:
		return nil
	default:
		p.Live = has[i]
	}
	return []Pair{p}
}

// bringNeeded makes namespaces and definitions that the manifests bring part of the cluster
// before the first is answered, where the client sends them before all that is in them.
func (c plan) bringNeeded(ctx context.Context) {
	if !c.flags.InOrder || c.World.dryRun {
		return
	}
	for _, p := range c.pairs {
		at := placed{p.Document.Source, p.Number}
		if p.Err != nil || !c.redefines(p) && (c.course.together.namespaces[p.Key.Name] != at || c.preceded(at, p.Key.Name)) {
			continue
		}
		w := c.Apply(p)
		w.Manager = c.f.Sender
		c.course.Learn(p, c.Client.Simulate(ctx, c.Server, w))
	}
}

// preceded reports whether the client sends an object of a namespace before the Namespace.
func (c plan) preceded(at placed, namespace string) bool {
	return slices.ContainsFunc(c.pairs, func(p Pair) bool {
		return p.Err == nil && p.Key.Namespace == namespace && c.course.together.follows(at, p)
	})
}

// spareOf are the live objects that no manifest names, as far as they were kept.
func spareOf(x *live.Index) []*live.Object {
	if len(x.Spare()) == 0 {
		// Where the inputs are mixed, all are kept.
		return x.Objects()
	}
	return x.Spare()
}

// holdSpare reads the live objects again, for those that no manifest names: that there is a
// client, which may delete some, was found by the live objects. What of them cannot be read is
// a problem of the run then. Standard input is read once, and holds them from the start.
func (c plan) holdSpare(ctx context.Context) {
	if slices.Contains(c.flags.Live, "-") || c.flags.Mixed {
		return
	}
	reading := Reading(ctx, c.App, c.flags, &c.Inputs)
	reading.OnNotice, reading.OnBeside = func(manifest.Notice) {}, func(manifest.Document) {}
	named := map[live.Key]bool{}
	for _, p := range c.pairs {
		named[p.Key] = true
	}
	all, errs := live.Load(c.flags.Live, live.Options{
		Input: reading, KeyOf: c.Key, HoldBytes: HoldBytes,
		Want:  func(live.Key) bool { return false },
		Spare: func(id manifest.Identity) bool { return id.Name != "" && !c.keeps(id) && !named[c.Key(id)] },
		Amend: func(d manifest.Document) manifest.Document { return c.Reveal(d, c.flags) },
	})
	c.Live.Hold(all)
	said := slices.Clone(c.Problems)
	c.AddLives(slices.DeleteFunc(errs, func(err error) bool { return slices.Contains(said, ProblemOf(err)) }))
}
