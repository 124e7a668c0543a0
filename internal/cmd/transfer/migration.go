package transfer

import (
	"slices"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// migratedFirst is a safe plan that first migrates the client-side entries which
// kubectl would move to the manager of a step; false where there is none.
func (p *planner) migratedFirst(plain Plan) (Plan, bool) {
	updaters := client.AnnotationUpdaters(p.Live)
	if len(updaters) == 0 {
		return plain, false
	}
	for _, o := range migrations {
		next := p.migrated(o)
		if next == nil {
			continue
		}
		out := plain
		if next.q.From != p.q.From {
			out.FromThen = next.q.From
		}
		if out = next.completeMigrated(out, updaters); out.Chosen != "" {
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

func (p *planner) completeMigrated(out Plan, moved []string) Plan {
	if p.q.From != p.q.To {
		if !p.impossible().IsZero() {
			return out
		}
		out = p.complete(out)
	} else if ownsAll(p.states(p.Live), p.q.To) {
		out.Options = []Option{{Kind: MigrateOnly, Steps: p.first, Safe: true, Outcome: report.Configured}}
		out.Outcome, out.Chosen = report.Configured, MigrateOnly
		out.Reason = text.New("%v is the name under which the same tool applies server-side: a migration moves the fields.", text.By(p.q.To))
	}
	out.Findings = append([]finding.Finding{p.find(kubectlMoves, "kubectl apply --server-side, as any manager, moves all fields of %v to that manager, and removes those that its manifest lacks: step 1 prevents that. From then on, apply the manifest of %v with --server-side as %v; a client-side apply makes the entry again",
		text.Names(moved), text.Names(moved), text.By(p.first[0].Manager))}, out.Findings...)
	return out
}

// migrated is a planner for what a migration of the client-side entries leaves, with
// the step that migrates; nil where that is no plan that keeps all values.
func (p *planner) migrated(options migration.Options) *planner {
	updaters := client.AnnotationUpdaters(p.Live)
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
	step := Step{Kind: Patch, Manager: to, Does: text.New("the client-side entry of %v becomes the Apply entry of %v, with the values unchanged", text.Names(updaters), text.By(to))}
	step.Patch = m.Patch
	w, err := p.patching(step)
	if err != nil {
		return nil
	}
	r, _ := p.take(&step, w, p.Live)
	if r.Outcome.Refused() || slices.ContainsFunc(r.Changes, loses) || len(client.AnnotationUpdaters(r.Object)) > 0 {
		return nil
	}
	q := p.q
	object := p.In(r.Object)
	q.Object = object.Write
	if former == q.From {
		q.From = to
	}
	next, err := plannerOf(object, q)
	if err != nil {
		return nil
	}
	next.first, next.before = []Step{step}, []map[string]any{p.Live}
	return next
}

// loses reports whether a change takes a value away.
func loses(c report.Change) bool { return c.Kind != report.Added && c.Field != ".metadata.generation" }
