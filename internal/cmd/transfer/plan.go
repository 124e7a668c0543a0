package transfer

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/kubectl"
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

// Make plans. It always gives a Plan: where there is no option, Message and the
// options tell why.
func Make(ctx context.Context, server api.Server, q Request) Plan {
	p, err := newPlanner(ctx, server, q)
	if err != nil {
		return Failure(q, err)
	}
	object := kubectl.Named(server, q.Object.Kind, q.Object.Namespace, q.Object.Name)
	out := Plan{
		Object: object, Reference: object.Reference(),
		Target: q.Object.Target(), Source: q.Object.LiveAt(), From: q.From, To: q.To, Controller: q.Writes == ByUpdate,
		Fields: p.states(p.Live), Options: []Option{}, Hazards: []Hazard{},
	}
	if reason := p.done(out.Fields); !reason.IsZero() {
		out.Outcome, out.Chosen, out.Reason = report.Unchanged, Done, reason
		out.Options = []Option{{Kind: Done, Steps: []Step{}, Safe: true, Outcome: report.Unchanged}}
		return out
	}
	if why := p.impossible(); !why.IsZero() {
		out.Outcome, out.Message = report.Invalid, why
		return out
	}
	plain := p.complete(out)
	if !plain.Options[0].moves {
		return plain
	}
	if migrated, ok := p.migratedFirst(out); ok {
		return migrated
	}
	plain.Findings = append(plain.Findings, p.find(kubectlMoves, program.In("ssactl migrate -f LIVE plans the move of %v to server-side apply: transfer the fields after it"), text.Names(client.AnnotationUpdaters(p.Live))))
	return plain
}

// complete is a plan with the options.
func (p *planner) complete(out Plan) Plan {
	out.Findings = p.remarks()
	out.Options = p.options()
	slices.SortStableFunc(out.Options, func(a, b Option) int { return rank(a) - rank(b) })
	best := out.Options[0]
	out.Outcome = best.Outcome
	if best.Safe {
		out.Chosen = best.Kind
	} else if !out.Outcome.Refused() {
		out.Outcome = report.Invalid
	}
	out.Reason = p.reason(best)
	if best.Safe {
		out.Hazards = p.hazards(best)
		out.Findings = append(out.Findings, p.reminder(best)...)
	}
	return out
}

// reminder is what is left to do in the source of a former owner that writes by
// updates: no step of a plan can do it.
func (p *planner) reminder(o Option) []finding.Finding {
	own := len(p.first)
	i := slices.IndexFunc(o.Steps[own:], func(s Step) bool { return s.Kind == Patch })
	if i < 0 {
		return nil
	}
	return []finding.Finding{p.find(writesByUpdates, "%v writes by updates, which never conflict: if a manifest of it has %v, take %v out after step %v, and before the tool runs again",
		text.By(p.q.From), p.fields(), p.agree("it", "them"), text.Number(own+i+1))}
}

// fields names the fields that are handed over.
func (p *planner) fields() text.Text {
	return text.List(p.subjects, len(p.subjects), func(s subject) text.Arg { return text.Path(s.field) })
}

func (p *planner) agree(one, several string) text.Text {
	return text.Agree(len(p.subjects), one, several)
}

// rank puts safe options first, in the order in which they are preferred, and then those
// that only the former owner's next apply undoes.
func rank(w Option) int {
	switch {
	case w.Safe:
		return 0
	case w.undone:
		return 1
	}
	return 2
}

// Failure is the Plan where no answer could be given.
func Failure(q Request, err error) Plan {
	return Plan{
		Target: q.Object.Target(), Source: q.Object.LiveAt(), From: q.From, To: q.To, Controller: q.Writes == ByUpdate,
		Outcome: report.Failed, Message: text.New("%v", text.Said(err.Error())), Fields: []State{}, Options: []Option{}, Hazards: []Hazard{},
	}
}

// done is why the fields were handed over already; empty where they were not.
func (p *planner) done(now []State) text.Text {
	from, to, between := p.q.From, p.q.To, p.q.Between
	switch {
	case from == to, slices.ContainsFunc(p.subjects, p.drops):
		return text.Text{}
	case p.q.Writes == ByUpdate && ownsAll(now, between) && (from == between || !ownsAny(now, from)):
		return text.New("%v keeps it until %v changes it for the first time: there is nothing left to do.", text.By(between), text.By(to))
	case ownsAll(now, to) && !ownsAny(now, from):
		return text.New("%v owns it, and %v does not: there is nothing to hand over. If it is in the manifest of %v still, take it out; --from-manifest checks that.",
			text.By(to), text.By(from), text.By(from))
	}
	return text.Text{}
}

// drops reports whether a field that the former owner has lost already is still
// in its manifest.
func (p *planner) drops(s subject) bool {
	m := p.q.FromManifest
	return m != nil && p.Shape.Has(m.Decoded, s.path)
}
