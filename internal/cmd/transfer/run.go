package transfer

import (
	"reflect"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// maker makes a step for an object as the former steps left it. An error means
// that there can be no such step.
type maker func(current map[string]any) (Step, engine.Write, error)

// run simulates steps one after the other, up to the first that is refused.
// What they leave is kept in stages.
func (p *planner) run(kind OptionKind, makers ...maker) Option {
	out := Option{Kind: kind, Outcome: report.Unchanged, Steps: append([]Step{}, p.first...)}
	current := p.Live
	p.stages[kind] = append(slices.Clone(p.before), current)
	for _, make := range makers {
		step, write, err := make(current)
		number := text.Number(len(out.Steps) + 1)
		if err != nil && step.Kind == ByItself {
			step.NotSimulated, step.States = text.New("%v", text.Said(err.Error())), p.states(current)
			out.Steps = append(out.Steps, step)
			p.stages[kind] = append(p.stages[kind], current)
			continue
		}
		if err != nil {
			out.Outcome, out.Problem = report.Failed, text.New("step %v cannot be made: %v", number, text.Said(err.Error()))
			return out
		}
		r, moves := p.take(&step, write, current)
		if step.Kind == ByItself && r.Outcome.Refused() {
			step = unsimulated(step, r)
		}
		out.Steps = append(out.Steps, step)
		if step.Outcome.Refused() {
			out.Outcome = r.Outcome
			out.Problem = text.New("the server refuses step %v (%v)", number, text.Number(r.Code))
			if r.Outcome == report.Failed {
				out.Problem = text.New("step %v cannot be simulated", number)
			}
			return out
		}
		if r.Outcome != report.Unchanged {
			out.Outcome = report.Configured
		}
		current = r.Left()
		p.stages[kind] = append(p.stages[kind], current)
		if !moves.IsZero() {
			out.Problem, out.moves = text.New("in step %v %v", number, moves), true
			return out
		}
	}
	if out.Problem = p.problem(out); out.Problem.IsZero() {
		out.Problem = p.undone(out)
		out.undone = !out.Problem.IsZero()
	}
	out.Safe = out.Problem.IsZero()
	return out
}

// unsimulated is a controller's step for which no value could be made up that
// the server takes: what the controller will write is its own affair.
func unsimulated(step Step, r ownership.Next) Step {
	step.NotSimulated = text.New("the server refuses the value that was made up for it (%v)", text.Number(r.Code))
	step.Outcome, step.Code, step.Message = "", 0, ""
	return step
}

// take simulates one step, all requests of it: kubectl applies a manifest. The text
// says what kubectl does besides.
func (p *planner) take(step *Step, w engine.Write, current map[string]any) (ownership.Next, text.Text) {
	r := p.Simulate(w, current)
	run := client.Once(r.Result)
	if step.Kind == Apply {
		run = client.KubectlAfter(p.Ctx, p.Server, w.On(current), run.First())
		r.Result = run.Whole()
	}
	a := r.Answer()
	step.Outcome, step.Code, step.Message = a.Outcome, a.Code, a.Message
	step.States = p.states(r.Left())
	if !r.Outcome.Refused() {
		step.Also = p.also(r.Result)
	}
	return r, moves(run)
}

// moves says which entries kubectl moves in a step; empty without.
func moves(run client.Run) text.Text {
	moved := run.Moved()
	if moved == nil {
		return text.Text{}
	}
	const most = 50
	removes := text.New("which this plan does not hand over")
	if losses := run.Losses(); len(losses) > 0 {
		removes = text.New("and removes or resets %v", text.List(losses, most, func(l client.Loss) text.Arg { return text.Path(l.Field) }))
	}
	return text.New("kubectl moves all fields of %v to %v, %v", text.Names(moved), text.By(run.First().Manager), removes)
}

// also are changes of other fields than those that are handed over. What the
// server counts or fills in by itself is none.
func (p *planner) also(r report.Result) []report.Change {
	var out []report.Change
	for _, c := range r.Changes {
		if c.Field == ".metadata.generation" || c.Reason == report.ReasonDefaulted || p.isSubject(c.Field) || strings.HasPrefix(c.Field, client.LastAppliedField) {
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

// problem is why an option is not safe though the server accepts each step; empty for
// a safe one.
func (p *planner) problem(o Option) text.Text {
	meant := false
	for i, step := range o.Steps {
		meant = meant || step.Meant
		for k, s := range step.States {
			if !meant && !reflect.DeepEqual(s.Value, p.subjects[k].value) {
				return text.New("step %v changes %v", text.Number(i+1), text.Path(s.Field))
			}
		}
	}
	if len(o.Steps) == 0 {
		return text.New("there is nothing to do")
	}
	last, simulated := o.Steps[len(o.Steps)-1].States, true
	for _, step := range o.Steps {
		simulated = simulated && step.NotSimulated.IsZero()
	}
	switch {
	case p.q.From != p.q.To && ownsAny(last, p.q.From):
		return text.New("%v still owns it in the end", text.By(p.q.From))
	case simulated && !ownsAll(last, p.q.To):
		return text.New("%v does not own it in the end", text.By(p.q.To))
	}
	return text.Text{}
}

func same(a, b conflict.Value) bool { return reflect.DeepEqual(a, b) }
