package transfer

import (
	"slices"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// planner tries options: what their steps do, one after the other.
type planner struct{ steps }

// tried is an option with what is known of it while a plan is made.
type tried struct {
	Option
	// stages are the live object and what each step leaves of it.
	stages []map[string]any
	// moves is true where the problem is that kubectl moves entries, undone where it is
	// that the next apply of the former owner's client takes the values.
	moves, undone bool
}

// options are all options that fit who owns what, the safe ones first, in the order in
// which they are preferred, and then those that only the former owner's next apply undoes.
func (p planner) options() []tried {
	var out []tried
	add := func(kind OptionKind, makers ...[]maker) { out = append(out, p.try(kind, slices.Concat(makers...))) }
	one := func(makers ...maker) []maker { return makers }
	between := func() { add(HandOverManager, one(p.handOver), p.leaving(), one(p.controls)) }
	switch {
	case p.owned() && p.has():
		add(DropOnly, p.leaving())
	case !p.owned():
		add(DropOnly, one(p.drop(managedfields.Role{Manager: p.q.From, Operation: managedfields.Apply})))
	case p.q.Writes == ByUpdate && len(p.applies) == 0:
		add(DisownOnly, p.leaving(), one(p.controls))
		between()
	case p.q.Writes == ByUpdate:
		between()
		add(WaitForController, one(p.controls), p.dropping())
	case p.differs():
		add(ShareThenDrop, one(p.share), p.leaving(), one(p.own))
		add(ForceThenDrop, one(p.takeByForce), p.dropping())
		if len(p.applies) == 0 {
			add(MigrateThenDrop, one(p.share), p.migrating(), one(p.own))
		}
	default:
		add(ShareThenDrop, one(p.share), p.leaving())
		if len(p.applies) == 0 {
			add(MigrateThenDrop, one(p.share), p.migrating())
		}
	}
	rank := func(t tried) int {
		switch {
		case t.Safe:
			return 0
		case t.undone:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(out, func(a, b tried) int { return rank(a) - rank(b) })
	return out
}

// leaving takes the fields out of every entry of the former owner: Update
// entries first, since they would keep what an apply drops.
func (p planner) leaving() []maker {
	var out []maker
	for _, e := range p.updates {
		out = append(out, p.disown(e.Role))
	}
	return append(out, p.dropping()...)
}

// dropping takes the fields out of what the former owner applies.
func (p planner) dropping() []maker {
	var out []maker
	for _, role := range roles(p.applies) {
		out = append(out, p.drop(role))
	}
	return out
}

// migrating makes Apply entries of the Update entries, and drops the fields.
func (p planner) migrating() []maker {
	var moved, dropped []maker
	for _, role := range roles(p.updates) {
		moved = append(moved, p.becomeApply(role))
		role.Operation = managedfields.Apply
		dropped = append(dropped, p.drop(role))
	}
	return append(moved, dropped...)
}

func roles(entries []managedfields.Entry) []managedfields.Role {
	var out []managedfields.Role
	for _, e := range entries {
		if !slices.Contains(out, e.Role) {
			out = append(out, e.Role)
		}
	}
	return out
}

// try simulates the steps of an option one after the other, up to the first that is
// refused.
func (p planner) try(kind OptionKind, makers []maker) tried {
	out := tried{
		Option: Option{Kind: kind, Outcome: report.Unchanged, Steps: append([]Step{}, p.first...)},
		stages: append(slices.Clone(p.before), p.Live),
	}
	for _, make := range makers {
		current := out.stages[len(out.stages)-1]
		step, write, err := make(current)
		number := text.Number(len(out.Steps) + 1)
		if err != nil && step.Kind != ByItself {
			out.Outcome, out.Problem = report.Failed, text.New("step %v cannot be made: %v", number, text.Said(err.Error()))
			return out
		}
		if err != nil {
			step.NotSimulated, step.States = text.New("%v", text.Said(err.Error())), p.states(current)
			out.Steps, out.stages = append(out.Steps, step), append(out.stages, current)
			continue
		}
		r, moves := p.take(&step, write, current)
		out.Steps, out.stages = append(out.Steps, step), append(out.stages, r.Left())
		switch {
		case step.Outcome.Refused():
			out.Outcome, out.Problem = r.Outcome, text.New("the server refuses step %v (%v)", number, text.Number(r.Code))
			if r.Outcome == report.Failed {
				out.Problem = text.New("step %v cannot be simulated", number)
			}
			return out
		case r.Outcome != report.Unchanged:
			out.Outcome = report.Configured
		}
		if !moves.IsZero() {
			out.Problem, out.moves = text.New("in step %v %v", number, moves), true
			return out
		}
	}
	if out.Problem = p.problem(out.Option); out.Problem.IsZero() {
		out.Problem = p.undone(out)
		out.undone = !out.Problem.IsZero()
	}
	out.Safe = out.Problem.IsZero()
	return out
}

// take takes one step, all requests of it: kubectl applies a manifest. The text
// says what kubectl does besides. What a controller will write is its own affair, where
// the server refuses the value that was made up for it.
func (p planner) take(step *Step, w engine.Write, current map[string]any) (ownership.Next, text.Text) {
	r := p.Simulate(w, current)
	run := client.Once(r.Result)
	if step.Kind == Apply {
		run = client.KubectlAfter(p.Ctx, p.Server, w.On(current), run.First())
		r.Result = run.Whole()
	}
	a := r.Answer()
	step.Outcome, step.Code, step.Message, step.States = a.Outcome, a.Code, a.Message, p.states(r.Left())
	switch {
	case !r.Outcome.Refused():
		step.Also = p.also(r.Result)
	case step.Kind == ByItself:
		step.NotSimulated = text.New("the server refuses the value that was made up for it (%v)", text.Number(r.Code))
		step.Outcome, step.Code, step.Message = "", 0, ""
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
		removes = text.New(
			"and removes or resets %v",
			text.List(losses, most, func(l client.Loss) text.Arg { return text.Path(l.Field) }),
		)
	}
	return text.New("kubectl moves all fields of %v to %v, %v", text.Names(moved), text.By(run.First().Manager), removes)
}

// problem is why an option is not safe though the server accepts each step; empty for
// a safe one.
func (p planner) problem(o Option) text.Text {
	if len(o.Steps) == 0 {
		return text.New("there is nothing to do")
	}
	meant, simulated := false, true
	for i, step := range o.Steps {
		meant, simulated = meant || step.Meant, simulated && step.NotSimulated.IsZero()
		for k, s := range step.States {
			if f := p.fields[k]; !meant && !sameValue(s.Value, f.value) {
				return text.New("step %v changes %v", text.Number(i+1), text.Path(s.Field))
			}
		}
	}
	switch last := o.Steps[len(o.Steps)-1].States; {
	case p.q.From != p.q.To && ownsAny(last, p.q.From):
		return text.New("%v still owns it in the end", text.By(p.q.From))
	case simulated && !ownsAll(last, p.q.To):
		return text.New("%v does not own it in the end", text.By(p.q.To))
	}
	return text.Text{}
}

// undone says what the former owner's client does to the fields with its next apply, once
// they have left its manifest; empty for nothing.
func (p planner) undone(o tried) text.Text {
	if p.q.Next == nil || p.q.From == p.q.To {
		return text.Text{}
	}
	c, final := p.q.Next.Client, o.stages[len(o.Steps)]
	apply, err := p.configurationAt(p.Live, ownership.By(p.q.From), p.q.FromManifest)
	if p.q.FromManifest == nil && p.q.Next.Applied != nil {
		apply, err = p.Sending(ownership.By(p.q.From), p.q.Next.Applied), nil
	}
	if err != nil {
		return text.Text{}
	}
	for _, f := range p.fields {
		apply, _ = apply.Without(f.path)
	}
	w, err := apply.Write.Send(apply.Body)
	if err != nil {
		return text.Text{}
	}
	w.Force = c.Force
	r := c.Simulate(p.Ctx, p.Server, w.On(final))
	if r.Outcome.Refused() || r.Object == nil || !differ(p.states(final), p.states(r.Object)) {
		return text.Text{}
	}
	says := text.New(
		"once %v %v gone from the manifest of %v, the next apply of %v takes the live %v, too", p.named(),
		p.agree("is", "are"), text.By(p.q.From), text.Name(c.Title), p.agree("value", "values"),
	)
	if c.ClientSide {
		says = says.And(
			": ",
			text.New("it applies client-side, and compares with the manifest before, whichever manager owns the field"),
		)
	}
	if c.Name == "helm" && c.ClientSide {
		says = says.And(". ", text.New("Upgrade the release once with --server-side=true, and plan again"))
	}
	return says
}

// reason is why the option is the one to take.
func (p planner) reason(o Option) text.Text {
	from, to, between := text.By(p.q.From), text.By(p.q.To), text.By(p.q.Between)
	switch {
	case !o.Safe:
		return text.New("No plan is safe: in the first, %v.", o.Problem)
	case o.Kind == DropOnly && p.owned():
		return text.New("%v owns it already, together with %v: it stays when %v drops it.", to, from, from)
	case o.Kind == DropOnly:
		return text.New(
			"%v has lost it already; it only has to leave its manifest, which conflicts as long as it is there.",
			from,
		)
	case o.Kind == ShareThenDrop && len(p.applies) == 0:
		return text.New(
			"%v owns it by updates only, and no apply drops what an Update entry owns: once %v shares it, it leaves the entry by a patch. It has an owner all the time.",
			from,
			to,
		)
	case o.Kind == ShareThenDrop && p.differs():
		return text.New(
			"%v asks for another value, but shares the live one first: nothing is forced, and the value changes only when %v is the one owner.",
			to,
			to,
		)
	case o.Kind == ShareThenDrop:
		return text.New(
			"%v shares the live value before %v drops it: it has an owner all the time, and nothing is forced.",
			to,
			from,
		)
	case o.Kind == HandOverManager:
		return text.New(
			"%v writes by updates and owns nothing before it changes the value, so that %v keeps the value in between; its entry is removed automatically with the first change by %v.",
			to, between, to,
		)
	case o.Kind == WaitForController:
		return text.New("%v takes it with its next change; until %v drops it, its applies conflict.", to, from)
	case o.Kind == DisownOnly:
		return text.New(
			"%v owns it by updates only: once it has left the entry, it is left unowned until %v writes it, and no apply removes a field without an owner.",
			from,
			to,
		)
	case o.Kind == ForceThenDrop:
		return text.New("%v takes it with force, as it cannot be shared.", to)
	}
	return text.New("%v becomes an applier, and drops it.", from)
}
