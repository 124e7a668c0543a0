package client

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Settings are the options of a run, by their own names, and what its inputs say. A client
// looks at those that it has.
type Settings struct {
	// ServerSide is auto, true or false.
	ServerSide                                  string
	ForceConflicts, TakeOwnership, ForceReplace bool
	CreateNamespace, Prune, Force               bool
	RollbackOnFailure                           bool
	// Selector is that of the manifests, by which kubectl prunes; nil for none.
	Selector labels.Selector
	// Release and Namespace are those of a Helm release, ReleaseManifest is what it has
	// deployed; nil to look for it among the objects.
	Release, Namespace string
	ReleaseManifest    []byte
	// OverrideManagers are those whose entries Flux takes over; IgnorePaths are JSON
	// pointers.
	OverrideManagers, IgnorePaths []string
	// Objects are the live objects that have settings, and Brought those of the manifests;
	// Live are the live objects of the manifests, with no more than their metadata.
	Objects []map[string]any
	Brought []Brought
	// Disguise hides values of Secrets from programs that settings have; nil to show them.
	Disguise api.Disguise
	Live     iter.Seq[map[string]any]
	// LineOf is where a field of an object with settings stands; nil for no line. The
	// function may be nil.
	LineOf func(setting Key, path fieldpath.Path) *report.Source
	// Others are the live objects that no manifest names, as far as they are kept, with no
	// more than their metadata.
	Others iter.Seq[map[string]any]
}

// makers make the clients, by their names.
var makers = map[string]func(*Client, Settings) error{
	"kubectl": makeKubectl, "helm": makeHelm, "argocd": makeArgoCD, "flux": makeFlux,
}

// New is the client of a name that about.Names has, or nil for another one.
func New(name, version string, s Settings) (*Client, error) {
	program, is := about.Find(name)
	if !is {
		return nil, nil
	}
	if version == "" {
		version = program.Versions[0].Name
	}
	c := &Client{
		Program: program, Version: version, stopped: map[Key]stopped{}, unanswered: map[Key]bool{},
		Prunes:  func(Key, func() map[string]any) (string, bool) { return "", false },
		Applied: func(Key) map[string]any { return nil },
		Waits:   func(Key) string { return "" },
		lineOf:  s.LineOf,
		Brings:  func(schema.GroupKind) bool { return false },
	}
	return c, makers[name](c, s)
}

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
	// send sends the requests for a manifest.
	send func(*sequence, engine.Write)
	// plan finds what all manifests together decide; nil for nothing.
	plan func(context.Context, api.Server, []engine.Write)
	// sorted are manifests in the order in which they are sent; nil for their own.
	sorted func([]engine.Write) []engine.Write
	// Prunes reports whether a live object that no manifest names is deleted, and by
	// which propagation policy.
	Prunes func(Key, func() map[string]any) (propagation string, prune bool)
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
	// creating finds the namespace that the client creates; nil for none.
	creating func([]engine.Write)
	// stopped are the objects that the client does not come to.
	stopped map[Key]stopped
	// unanswered are those that may be refused or not, and with
	// them others.
	unanswered map[Key]bool
	// Nameless: it sends objects without a name, too.
	Nameless bool
	// Brings reports whether a kind is defined by nothing but a manifest of the run.
	Brings func(schema.GroupKind) bool
	// NameOf is the name that it gives to a manifest without one; empty for none.
	NameOf func(manifest map[string]any) string
	// doubt is why the answer for an object may be another one; nil for none.
	doubt func(engine.Write) []report.Caveat
	// hook are the events for which a manifest, or the live object of one, is a hook that
	// runs; empty for others, and nil for a client without hooks.
	hook func(w engine.Write, object map[string]any) string
	// lineOf is LineOf of the settings.
	lineOf func(Key, fieldpath.Path) *report.Source
	// owns reports whether an object has settings of the run, besides Setting; nil for none.
	owns func(Key) bool
	// foreign is the owner of a live object that is not of this run; empty for none. Nil
	// where that is no question.
	foreign func(live map[string]any) string
}

// createsNamespace has the client create a namespace that no manifest is.
func (c *Client) createsNamespace(name string, metadata map[string]any, writes []engine.Write) {
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

// makes reports whether an object is the namespace that the client creates.
func (c *Client) makes(key Key) bool {
	return c.Creates != nil && key == Key{Kind: "Namespace", Name: text(c.Creates, "metadata", "name")}
}

// Key names an object.
type Key struct{ Group, Kind, Namespace, Name string }

// KeyOf names the object of a write.
func KeyOf(w engine.Write) Key { return Key{w.Kind.Group, w.Kind.Kind, w.Namespace, w.Name} }

// stopped is why a client does not send what it would: the words in which it refuses, or
// the request that another object's refusal keeps it from, with what there is to say of it.
type stopped struct {
	message, notice string
	after           Request
	// unserved: the server does not serve the kind.
	unserved bool
}

// Refuse has the client refuse an object, before any request for it.
func (c *Client) Refuse(key Key, message string) {
	c.stopped[key] = stopped{message: message}
}

// RefuseUnmapped has the client refuse an object whose kind the server does not serve;
// meant is what may be meant by it.
func (c *Client) RefuseUnmapped(key Key, message, meant string) {
	c.stopped[key] = stopped{message: message, notice: meant, unserved: true}
}

// Unmapped are the words of kubectl and Helm for a kind that the server does not serve
// (cli-runtime, pkg/resource/mapper.go). The namespace is that of the text.
func Unmapped(kind schema.GroupVersionKind, namespace, name, file string) string {
	return fmt.Sprintf(
		"resource mapping not found for name: %q namespace: %q from %q: no matches for kind %q in version %q\nensure CRDs are installed first",
		name,
		namespace,
		file,
		kind.Kind,
		kind.GroupVersion(),
	)
}

// Elsewhere are the words of kubectl for a manifest of another namespace than that of the
// command line (cli-runtime, pkg/resource/visitor.go, RequireNamespace).
func Elsewhere(namespace, given string) string {
	return fmt.Sprintf(
		"the namespace from the provided object %q does not match the namespace %q. You must pass '--namespace=%s' to perform this operation.",
		namespace,
		given,
		namespace,
	)
}

// refuses reports whether a result is a refusal, which keeps the client from others. Where
// there is no answer, that is not known.
func (c *Client) refuses(w engine.Write, r report.Result) bool {
	if r.Outcome == report.Failed {
		c.unanswered[KeyOf(w)] = true
		return false
	}
	return r.Outcome.Refused()
}

// doubts are the reasons for which the answer for an object may be another one.
func (c *Client) doubts(w engine.Write) (out []report.Caveat) {
	if c.doubt != nil {
		out = c.doubt(w)
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

// Creating finds the namespace that the client creates before the manifests, or writes to.
func (c *Client) Creating(writes []engine.Write) {
	if c.creating != nil {
		c.creating(writes)
	}
}

// settingDoubts say that the settings are a manifest's, and that the object is of another
// owner than they are.
func (c *Client) settingDoubts(w engine.Write) (out []report.Caveat) {
	if c.Brought != nil {
		out = append(out, report.Caveat{Kind: api.Input, Message: fmt.Sprintf(
			"The settings are those of the %s %s in %s, a manifest: no live object has them.",
			c.Setting.Kind, c.Setting.Name, placeOf(*c.Brought))})
	}
	if c.foreign == nil {
		return out
	}
	if owner := c.foreign(liveOf(w)); owner != "" {
		out = append(out, report.Caveat{Kind: api.Input, Message: fmt.Sprintf(
			"The live object is of the %s %s: what %s ignores of its own objects is not ignored here.",
			c.Setting.Kind, owner, c.Setting.Name)})
	}
	return out
}

// Plans reports whether Plan has to see all manifests before the first Send.
func (c *Client) Plans() bool { return c.plan != nil }

// Plan finds what all manifests together decide: which of them the client does not come
// to.
func (c *Client) Plan(ctx context.Context, server api.Server, writes []engine.Write) {
	c.stopped, c.unanswered = map[Key]stopped{}, map[Key]bool{}
	if c.plan != nil {
		c.plan(ctx, server, writes)
	}
}

// Sorts reports whether the client sends manifests in an order of its own.
func (c *Client) Sorts() bool { return c.sorted != nil }

// InOrder are manifests in the order in which the client sends them.
func (c *Client) InOrder(writes []engine.Write) []engine.Write { return c.sorted(writes) }

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

// Send simulates what the client sends for a manifest, of which the write is an apply.
func (c *Client) Send(ctx context.Context, server api.Server, w engine.Write) Run {
	w.Caveats = slices.Concat(w.Caveats, c.doubts(w))
	r := &sequence{ctx: ctx, server: server, write: w, sent: w}
	stop, is := c.stopped[KeyOf(w)]
	switch {
	case is && stop.message != "":
		r.stop(Apply, w, stop.message)
		if stop.unserved {
			r.steps[0].Result.Confidence = engine.Simulate(ctx, server, w).Confidence
		}
	case is && stop.after == "":
	case !c.makes(KeyOf(w)) || c.creating != nil:
		r.until = stop.after
		c.send(r, w)
	case !c.ClientSide:
		r.send(Apply, w)
	case c.Name == "helm":
		r.create(w, manifestOf(w))
	default:
		r.clientSideApply(w)
	}
	run := r.run()
	if stop.notice != "" {
		r.notices = append(r.notices, stop.notice)
	}
	run.whole.Notices = append(run.whole.Notices, r.notices...)
	run.whole.NotSent = r.notSent(run.whole)
	c.runsHook(w, &run)
	return run
}

// Simulate is Send as one result.
func (c *Client) Simulate(ctx context.Context, server api.Server, w engine.Write) report.Result {
	run := c.Send(ctx, server, w)
	return run.Whole()
}

// Contested is the request in which a manifest may conflict: the apply of the client,
// without force. There is none where the client refuses to send one, and where a client
// that forces is refused. For nil it is the write.
func (c *Client) Contested(ctx context.Context, server api.Server, w engine.Write) (engine.Write, *report.Result) {
	w.Force = false
	if c == nil || c.Name == "kubectl" && !c.ClientSide {
		return w, nil
	}
	if manifest := manifestOf(w); c.NameOf != nil && manifest != nil && text(manifest, "metadata", "name") == "" {
		_ = unstructured.SetNestedField(manifest, w.Name, "metadata", "name")
		w = sending(w, manifest)
	}
	// What the refusal of another object keeps the client from is asked nevertheless.
	alone := *c
	alone.stopped = maps.Clone(c.stopped)
	maps.DeleteFunc(alone.stopped, func(_ Key, s stopped) bool { return s.message == "" })
	run := alone.Send(ctx, server, w)
	if whole := run.Whole(); whole.Outcome == report.Invalid && (whole.Code == 0 || c.Force) {
		return run.Sent, &whole
	}
	if run.Sent.Verb != api.Apply {
		return w, nil
	}
	run.Sent.Force = false
	return run.Sent, nil
}

// Unforced is the result of the contested request, or the refusal of the client.
func (c *Client) Unforced(ctx context.Context, server api.Server, w engine.Write) report.Result {
	contested, refusal := c.Contested(ctx, server, w)
	if refusal != nil {
		return *refusal
	}
	return engine.Simulate(ctx, server, contested)
}

// Sequence are the requests of a run as a report has them.
func (c *Client) Sequence(run Run) *report.Sequence {
	s := &report.Sequence{Name: c.Name, Version: c.Version, Steps: []report.Sent{}}
	for _, step := range run.Steps {
		s.Steps = append(s.Steps, report.Sent{
			Request: string(step.Request), Manager: step.Result.Manager, Force: step.Result.Force, Answer: step.Result.Answer(),
		})
	}
	return s
}
