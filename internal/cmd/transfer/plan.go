package transfer

import (
	"context"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// Request asks to hand fields of one object over.
type Request struct {
	// Object names the object: kind, namespace, name, live object, source and
	// time. The rest of the write is not looked at.
	Object engine.Write
	// Fields are at least one path of the live object.
	Fields []fieldpath.Path
	// From is the manager that has them, To the one that is to have them.
	From, To string
	// Writes says how To writes.
	Writes Writes
	// Scaler is the autoscaler of the inputs that writes the replicas of the object; empty
	// for none.
	Scaler string
	// Between is the name of the manager made for handing over to a controller.
	Between string
	// FromManifest and ToManifest are what they apply to the object; nil where
	// it is put together from the live object.
	FromManifest, ToManifest *Manifest
	// Next is the next apply of From; nil where no client is known to send more than one
	// request for it.
	Next *Next
}

// Writes says how a manager writes.
type Writes int

// The ways to write.
const (
	// ByApply: it applies a manifest.
	ByApply Writes = iota
	// ByUpdate: it is a controller that updates or patches.
	ByUpdate
)

// Manifest is a document that a manager applies.
type Manifest struct {
	Kind    schema.GroupVersionKind
	Body    []byte
	Decoded map[string]any
	Source  report.Source
}

// Next is the former owner's next apply, as its client sends it.
type Next struct {
	Client *client.Client
	// Applied is what the client applied last; nil where it is what the former owner's
	// entry has.
	Applied map[string]any
}

// Make plans. It always gives a Plan: where there is no option, Message and the
// options tell why.
func Make(ctx context.Context, server api.Server, q Request) Plan {
	object, err := ownership.Of(ctx, server, q.Object)
	if err != nil {
		return Failure(q, err)
	}
	s, err := newSubject(object, q)
	if err != nil {
		return Failure(q, err)
	}
	p := planner{steps{s}}
	out := blank(q)
	out.Object = kubectl.Named(server, q.Object.Kind, q.Object.Namespace, q.Object.Name)
	out.Reference, out.Fields = out.Object.Reference(), p.states(p.Live)
	if reason := p.done(out.Fields); !reason.IsZero() {
		out.Outcome, out.Chosen, out.Reason = report.Unchanged, Done, reason
		out.Options = []Option{{Kind: Done, Steps: []Step{}, Safe: true, Outcome: report.Unchanged}}
		return out
	}
	if why := p.impossible(); !why.IsZero() {
		out.Outcome, out.Message = report.Invalid, why
		return out
	}
	plain, moves := p.complete(out)
	if !moves {
		return plain
	}
	if migrated, ok := p.migratedFirst(out); ok {
		return migrated
	}
	plain.Findings = append(
		plain.Findings,
		p.find(
			kubectlMoves,
			program.In("ssactl migrate -f LIVE plans the move of %v to server-side apply: transfer the fields after it"),
			text.Names(client.AnnotationUpdaters(p.Live)),
		),
	)
	return plain
}

func blank(q Request) Plan {
	return Plan{
		Target: q.Object.Target(), Source: q.Object.LiveAt(), From: q.From, To: q.To, Controller: q.Writes == ByUpdate,
		Fields: []State{}, Options: []Option{}, Hazards: []Hazard{},
	}
}

// Failure is the Plan where no answer could be given.
func Failure(q Request, err error) Plan {
	p := blank(q)
	p.Outcome, p.Message = report.Failed, text.New("%v", text.Said(err.Error()))
	return p
}

// done is why the fields were handed over already; empty where they were not.
func (p planner) done(now []State) text.Text {
	from, to, between := p.q.From, p.q.To, p.q.Between
	switch {
	case from == to, slices.ContainsFunc(p.fields, p.drops):
		return text.Text{}
	case p.q.Writes == ByUpdate && ownsAll(now, between) && (from == between || !ownsAny(now, from)):
		return text.New(
			"%v keeps it until %v changes it for the first time: there is nothing left to do.",
			text.By(between),
			text.By(to),
		)
	case ownsAll(now, to) && !ownsAny(now, from):
		return text.New(
			"%v owns it, and %v does not: there is nothing to hand over. If it is in the manifest of %v still, take it out; --from-manifest checks that.",
			text.By(to), text.By(from), text.By(from),
		)
	}
	return text.Text{}
}

// complete is a plan with the options; moves reports whether the first one is not safe as
// kubectl moves entries.
func (p planner) complete(out Plan) (_ Plan, moves bool) {
	out.Findings = p.remarks()
	options := p.options()
	best := options[0]
	for _, o := range options {
		out.Options = append(out.Options, o.Option)
	}
	out.Outcome, out.Reason = best.Outcome, p.reason(best.Option)
	switch {
	case best.Safe:
		out.Chosen, out.Hazards = best.Kind, p.hazards(best)
		out.Findings = append(out.Findings, p.reminder(best.Option)...)
	case !out.Outcome.Refused():
		out.Outcome = report.Invalid
	}
	return out, best.moves
}

// migratedFirst is a safe plan that first migrates the client-side entries which
// kubectl would move to the manager of a step; false where there is none.
func (p planner) migratedFirst(plain Plan) (Plan, bool) {
	updaters := client.AnnotationUpdaters(p.Live)
	if len(updaters) == 0 {
		return plain, false
	}
	for _, o := range migrations {
		next := p.migrated(o, updaters)
		if next == nil {
			continue
		}
		if out := next.planAfter(plain, updaters); out.Chosen != "" {
			return out, true
		}
	}
	return plain, false
}

// migrations are tried in this order: as ssactl migrate does, with all fields of the
// entries, and as kubectl itself does, where the annotation cannot be read.
var migrations = []migration.Options{
	{Annotation: migration.KeepAnnotation},
	{Annotation: migration.KeepAnnotation, Claim: migration.ClaimAll},
	{Mode: migration.Compatible},
}

// migrated is a planner for what a migration of the client-side entries leaves, with
// the step that migrates; nil where that is no plan that keeps all values.
func (p planner) migrated(options migration.Options, updaters []string) *planner {
	former := updaters[0]
	o := migration.Object{Target: p.Write.Target(), Live: p.Live, Source: p.q.Object.LiveAt()}
	if slices.Contains(updaters, p.q.From) {
		former = p.q.From
		if m := p.q.FromManifest; m != nil {
			o.Manifest, o.ManifestSource = m.Decoded, &m.Source
		}
	}
	to := migration.ServerSideName(former)
	options.To, options.From, options.Auto = to, updaters, migration.ByNameOnly
	m := migration.Run(p.Ctx, p.Server, o, options, p.Write.Now)
	if m.Verdict != migration.Migrates {
		return nil
	}
	step, w, err := p.patching(Step{Kind: Patch, Manager: to, Patch: m.Patch,
		Does: text.New(
			"the client-side entry of %v becomes the Apply entry of %v, with the values unchanged",
			text.Names(updaters),
			text.By(to),
		)})
	if err != nil {
		return nil
	}
	r, _ := p.take(&step, w, p.Live)
	loses := func(c report.Change) bool { return c.Kind != report.Added && c.Field != ".metadata.generation" }
	if r.Outcome.Refused() || slices.ContainsFunc(r.Changes, loses) || len(client.AnnotationUpdaters(r.Object)) > 0 {
		return nil
	}
	q, object := p.q, p.In(r.Object)
	q.Object = object.Write
	if former == q.From {
		q.From = to
	}
	next, err := newSubject(object, q)
	if err != nil {
		return nil
	}
	next.first, next.before = []Step{step}, []map[string]any{p.Live}
	return &planner{steps{next}}
}

// planAfter is the plan after a migration; nothing is chosen where none is safe.
func (p planner) planAfter(out Plan, moved []string) Plan {
	if p.q.From != out.From {
		out.FromThen = p.q.From
	}
	switch {
	case p.q.From != p.q.To && !p.impossible().IsZero():
		return out
	case p.q.From != p.q.To:
		out, _ = p.complete(out)
	case ownsAll(p.states(p.Live), p.q.To):
		out.Options = []Option{{Kind: MigrateOnly, Steps: p.first, Safe: true, Outcome: report.Configured}}
		out.Outcome, out.Chosen = report.Configured, MigrateOnly
		out.Reason = text.New(
			"%v is the name under which the same tool applies server-side: a migration moves the fields.",
			text.By(p.q.To),
		)
	}
	out.Findings = append(
		[]report.Finding{
			p.find(
				kubectlMoves,
				"kubectl apply --server-side, as any manager, moves all fields of %v to that manager, and removes those that its manifest lacks: step 1 prevents that. From then on, apply the manifest of %v with --server-side as %v; a client-side apply makes the entry again",
				text.Names(moved), text.Names(moved),
				text.By(p.first[0].Manager),
			),
		},
		out.Findings...)
	return out
}

func sameValue(a, b conflict.Value) bool { return reflect.DeepEqual(a, b) }
