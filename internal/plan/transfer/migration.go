package transfer

import (
	"slices"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine/extract"
	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/report"
)

// migratedFirst is a safe plan that first migrates the client-side entries which
// kubectl would move to the manager of a step; false where there is none.
func (p *planner) migratedFirst(plain Plan) (Plan, bool) {
	if len(client.AnnotationUpdaters(p.live)) == 0 {
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
		if out = next.completeMigrated(out); out.Chosen != "" {
			return out, true
		}
	}
	return plain, false
}

// migrations are tried in this order: as ssactl migrate does, with all fields of the
// entries, and as kubectl itself does, where the annotation cannot be read.
var migrations = []migrate.Options{
	{Annotation: migrate.KeepAnnotation},
	{Annotation: migrate.KeepAnnotation, Claim: migrate.ClaimAll},
	{Mode: migrate.Compatible},
}

func (p *planner) completeMigrated(out Plan) Plan {
	if p.q.From != p.q.To {
		if p.impossible().Kind != "" {
			return out
		}
		out = p.complete(out)
	} else if ownsAll(p.states(p.live), p.q.To) {
		out.Options = []Option{{Kind: MigrateOnly, Steps: p.first, Safe: true, Outcome: report.Configured}}
		out.Outcome, out.Chosen, out.Because = report.Configured, MigrateOnly, MigrationIsAll
	}
	out.Remarks = append([]report.Fact{{Kind: MigratesFirst, Manager: p.first[0].Manager, Others: p.first[0].Others}}, out.Remarks...)
	return out
}

// migrated is a planner for what a migration of the client-side entries leaves, with
// the step that migrates; nil where that is no plan that keeps all values.
func (p *planner) migrated(options migrate.Options) *planner {
	updaters := client.AnnotationUpdaters(p.live)
	former := updaters[0]
	o := migrate.Object{Target: p.object.Target(), Live: p.live, Source: p.q.Object.LiveAt()}
	if slices.Contains(updaters, p.q.From) {
		former = p.q.From
		if m := p.q.FromManifest; m != nil {
			o.Manifest, o.ManifestSource = m.Decoded, &m.Source
		}
	}
	to := migrate.ServerSideName(former)
	options.To, options.From, options.Auto = to, updaters, migrate.ByNameOnly
	m := migrate.Run(p.ctx, p.server, o, options, p.object.Now)
	if m.Verdict != migrate.Migrates {
		return nil
	}
	step := Step{Kind: Patch, Manager: to, Others: updaters, Action: MovesEntry}
	for _, operation := range m.Patch {
		step.Patch = append(step.Patch, Operation(operation))
	}
	w, err := p.patching(step)
	if err != nil {
		return nil
	}
	r, _ := p.take(&step, w, p.live)
	if r.Outcome.Refused() || slices.ContainsFunc(r.Changes, loses) || len(client.AnnotationUpdaters(r.Object)) > 0 {
		return nil
	}
	q := p.q
	q.Object = extract.On(p.object, r.Object)
	if former == q.From {
		q.From = to
	}
	next, err := newPlanner(p.ctx, p.server, q)
	if err != nil {
		return nil
	}
	next.first, next.before = []Step{step}, []map[string]any{p.live}
	return next
}

// loses reports whether a change takes a value away.
func loses(c report.Change) bool { return c.Kind != report.Added && c.Field != ".metadata.generation" }
