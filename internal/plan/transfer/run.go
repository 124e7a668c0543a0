package transfer

import (
	"reflect"
	"slices"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/engine/extract"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/report"
)

// maker makes a step for an object as the former steps left it. An error means
// that there can be no such step.
type maker func(current map[string]any) (Step, engine.Write, error)

// run simulates steps one after the other, up to the first that is refused.
// What they leave is kept in stages.
func (p *planner) run(kind OptionKind, makers ...maker) Option {
	out := Option{Kind: kind, Outcome: report.Unchanged, Steps: append([]Step{}, p.first...)}
	current := p.live
	p.stages[kind] = append(slices.Clone(p.before), current)
	for _, make := range makers {
		step, write, err := make(current)
		number := len(out.Steps) + 1
		if err != nil && step.Kind == ByItself {
			step.Gap, step.States = &Fault{Kind: NotMade, Step: number, Message: err.Error()}, p.states(current)
			out.Steps = append(out.Steps, step)
			p.stages[kind] = append(p.stages[kind], current)
			continue
		}
		if err != nil {
			out.Outcome, out.Fault = report.Failed, &Fault{Kind: NotMade, Step: number, Message: err.Error()}
			return out
		}
		r, fault := p.take(&step, write, current)
		if step.Kind == ByItself && r.Outcome.Refused() {
			step = unsimulated(step, number, r)
		}
		out.Steps = append(out.Steps, step)
		if step.Outcome.Refused() {
			out.Outcome = r.Outcome
			out.Fault = &Fault{Kind: StepRefused, Step: number, Code: r.Code}
			if r.Outcome == report.Failed {
				out.Fault.Kind = NotTried
			}
			return out
		}
		if r.Outcome != report.Unchanged {
			out.Outcome = report.Configured
		}
		if r.Object != nil {
			current = r.Object
		}
		p.stages[kind] = append(p.stages[kind], current)
		if fault != nil {
			fault.Step, out.Fault = number, fault
			return out
		}
	}
	out.Fault = p.fault(out)
	out.Safe = out.Fault == nil
	return out
}

// unsimulated is a controller's step for which no value could be made up that
// the server takes: what the controller will write is its own affair.
func unsimulated(step Step, number int, r report.Result) Step {
	step.Gap = &Fault{Kind: StepRefused, Step: number, Code: r.Code}
	step.Outcome, step.Code, step.Message = "", 0, ""
	return step
}

// take simulates one step, all requests of it: kubectl applies a manifest. The fault
// is what kubectl does besides.
func (p *planner) take(step *Step, w engine.Write, current map[string]any) (report.Result, *Fault) {
	w = extract.On(w, current)
	run := client.Once(engine.Simulate(p.ctx, p.server, w))
	if step.Kind == Apply {
		run = client.KubectlAfter(p.ctx, p.server, w, run.First())
	}
	r := run.Whole()
	a := r.Answer()
	step.Outcome, step.Code, step.Message = a.Outcome, a.Code, a.Message
	after := r.Object
	if after == nil {
		after = current
	}
	step.States = p.states(after)
	if !r.Outcome.Refused() {
		step.Also = p.also(r)
	}
	return r, moves(run)
}

// moves is the fault of a step in which kubectl moves entries; nil without.
func moves(run client.Run) *Fault {
	moved := run.Moved()
	if moved == nil {
		return nil
	}
	fault := &Fault{Kind: KubectlMoves, Manager: run.First().Manager, Moved: moved}
	for _, loss := range run.Losses() {
		fault.Fields = append(fault.Fields, loss.Field)
	}
	return fault
}

// also are changes of other fields than those that are handed over. What the
// server counts or fills in by itself is none.
func (p *planner) also(r report.Result) []report.Change {
	var out []report.Change
	for _, c := range r.Changes {
		if c.Field == ".metadata.generation" || c.Reason == report.ReasonDefaulted || p.isSubject(c.Field) || isLastApplied(c.Field) {
			continue
		}
		out = append(out, c)
	}
	return out
}

// isSubject reports whether a field is one of those handed over, in one, or a
// parent that came or went with it.
func (p *planner) isSubject(field string) bool {
	for _, s := range p.subjects {
		if managedfields.Within(field, s.field) || managedfields.Within(s.field, field) {
			return true
		}
	}
	return false
}

// fault is why an option is not safe though the server accepts each step.
func (p *planner) fault(o Option) *Fault {
	meant := false
	for i, step := range o.Steps {
		meant = meant || step.Meant
		for k, s := range step.States {
			if !meant && !reflect.DeepEqual(s.Value, p.subjects[k].value) {
				return &Fault{Kind: ValueChanges, Step: i + 1, Field: s.Field}
			}
		}
	}
	if len(o.Steps) == 0 {
		return &Fault{Kind: NoSteps}
	}
	last, simulated := o.Steps[len(o.Steps)-1].States, true
	for _, step := range o.Steps {
		simulated = simulated && step.Gap == nil
	}
	switch {
	case p.q.From != p.q.To && ownsAny(last, p.q.From):
		return &Fault{Kind: StillOwned, Manager: p.q.From}
	case simulated && !ownsAll(last, p.q.To):
		return &Fault{Kind: NotOwned, Manager: p.q.To}
	}
	return nil
}

func same(a, b explain.Value) bool { return reflect.DeepEqual(a, b) }
