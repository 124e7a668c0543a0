package transfer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
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
	// Between is the name of the manager made for handing over to a controller.
	Between string
	// FromManifest and ToManifest are what they apply to the object; nil where
	// it is put together from the live object.
	FromManifest, ToManifest *Manifest
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

// Make plans. It always gives a Plan: where there is no option, Message and the
// options tell why.
func Make(ctx context.Context, server api.Server, q Request) Plan {
	p, err := newPlanner(ctx, server, q)
	if err != nil {
		return Failure(q, err)
	}
	out := Plan{
		Reference: kubectl.Named(server, q.Object.Kind, q.Object.Namespace, q.Object.Name).Reference(),
		Target:    q.Object.Target(), Source: q.Object.LiveAt(), From: q.From, To: q.To, Controller: q.Writes == ByUpdate, Between: q.Between,
		Fields: p.states(p.live), Options: []Option{}, Hazards: []Hazard{},
	}
	if reason := p.done(out.Fields); reason != "" {
		out.Outcome, out.Chosen, out.Because = report.Unchanged, Done, reason
		out.Options = []Option{{Kind: Done, Steps: []Step{}, Safe: true, Outcome: report.Unchanged}}
		return out
	}
	if why := p.impossible(); why != "" {
		out.Outcome, out.Message = report.Invalid, why
		return out
	}
	out.Findings = p.findings()
	out.Options = p.options()
	slices.SortStableFunc(out.Options, func(a, b Option) int { return rank(a) - rank(b) })
	best := out.Options[0]
	out.Outcome = best.Outcome
	if best.Safe {
		out.Chosen = best.Kind
	} else if !out.Outcome.Refused() {
		out.Outcome = report.Invalid
	}
	out.Because = p.reason(best)
	if best.Safe {
		out.Hazards = p.hazards(best)
		out.Findings = append(out.Findings, p.reminder(best)...)
	}
	return out
}

// reminder is what is left to do in the source of a former owner that writes by
// updates: no step of a plan can do it.
func (p *planner) reminder(o Option) []string {
	i := slices.IndexFunc(o.Steps, func(s Step) bool { return s.Kind == Patch })
	if i < 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s writes by updates, which never conflict: if a manifest of it has %s, take it out after step %d, and before the tool runs again", p.q.From, p.names(), i+1)}
}

// rank puts safe options first, in the order in which they are preferred.
func rank(w Option) int {
	if w.Safe {
		return 0
	}
	return 1
}

// Failure is the Plan where no answer could be given.
func Failure(q Request, err error) Plan {
	return Plan{
		Target: q.Object.Target(), Source: q.Object.LiveAt(), From: q.From, To: q.To, Controller: q.Writes == ByUpdate,
		Outcome: report.Failed, Message: err.Error(), Fields: []State{}, Options: []Option{}, Hazards: []Hazard{},
	}
}

// done is why the fields were handed over already; empty where they were not.
func (p *planner) done(now []State) Reason {
	from, to, between := p.q.From, p.q.To, p.q.Between
	switch {
	case from == to, slices.ContainsFunc(p.subjects, p.drops):
		return ""
	case p.q.Writes == ByUpdate && ownsAll(now, between) && (from == between || !ownsAny(now, from)):
		return Waits
	case ownsAll(now, to) && !ownsAny(now, from):
		return HandedOver
	}
	return ""
}

// impossible says why nothing can be handed over.
func (p *planner) impossible() string {
	if p.q.From == p.q.To {
		return fmt.Sprintf(program.In("%s cannot hand a field over to itself; ssactl migrate moves what it owns by updates to its Apply entry"), p.q.From)
	}
	var missing, foreign []string
	for _, s := range p.subjects {
		switch owners := ownersOf(p.owners, s.path); {
		case s.value.Missing:
			missing = append(missing, s.field)
		case len(s.leaves) == 0 && !p.drops(s):
			foreign = append(foreign, fmt.Sprintf("%s (%s)", s.field, ownersText(owners)))
		}
	}
	switch {
	case len(missing) > 0:
		return fmt.Sprintf("the live object does not have %s, so that there is no value to hand over", strings.Join(missing, ", "))
	case len(foreign) > 0:
		return fmt.Sprintf("%s does not own %s", p.q.From, strings.Join(foreign, ", ")) + Elsewhere(p.live)
	}
	return ""
}

// drops reports whether a field that the former owner has lost already is still
// in its manifest.
func (p *planner) drops(s subject) bool {
	m := p.q.FromManifest
	return m != nil && p.shape.Has(m.Decoded, s.path)
}

func ownersText(owners []report.Writer) string {
	if len(owners) == 0 {
		return "nobody does"
	}
	var names []string
	for _, w := range owners {
		if !slices.Contains(names, w.Manager) {
			names = append(names, w.Manager)
		}
	}
	return "owned by " + strings.Join(names, " and ")
}

// findings are remarks on what the plan rests on.
func (p *planner) findings() []string {
	var out []string
	if len(p.applies) > 0 && p.q.FromManifest == nil {
		out = append(out, fmt.Sprintf("the manifest of %s is put together from the fields that it owns; --from-manifest names the real one", p.q.From))
	}
	if p.q.Writes == ByApply && p.q.ToManifest == nil {
		out = append(out, fmt.Sprintf("the manifest of %s is put together from the fields that it owns; --to-manifest names the real one", p.q.To))
	}
	for _, s := range p.subjects {
		for _, w := range ownersOf(p.owners, s.path) {
			if w.Manager != p.q.From && w.Manager != p.q.To {
				out = append(out, fmt.Sprintf("%s owns %s too (%s), and goes on to", w.Manager, s.field, w.Operation))
			}
		}
		if m := p.q.FromManifest; m != nil && len(p.applies) > 0 && len(s.leaves) > 0 && !p.shape.Has(m.Decoded, s.path) {
			out = append(out, fmt.Sprintf("the given manifest of %s does not have %s any more: its next apply drops it at once", p.q.From, s.field))
		}
	}
	return out
}
