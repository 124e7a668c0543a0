package transfer

import (
	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Next is the former owner's next apply, as its client sends it.
type Next struct {
	Client *client.Client
	// Applied is what the client applied last; nil where it is what the former owner's
	// entry has.
	Applied map[string]any
}

// undone says what the former owner's client does to the fields with its next apply, once
// they have left its manifest; empty for nothing.
func (p *planner) undone(o Option) text.Text {
	if p.q.Next == nil || p.q.From == p.q.To {
		return text.Text{}
	}
	c := p.q.Next.Client
	final := p.stages[o.Kind][len(o.Steps)]
	apply, err := p.configurationAt(p.Live, ownership.By(p.q.From), p.q.FromManifest)
	if p.q.FromManifest == nil && p.q.Next.Applied != nil {
		apply, err = p.Sending(ownership.By(p.q.From), p.q.Next.Applied), nil
	}
	if err != nil {
		return text.Text{}
	}
	for _, s := range p.subjects {
		apply, _ = apply.Without(s.path)
	}
	w, err := apply.Write.Send(apply.Body)
	if err != nil {
		return text.Text{}
	}
	w.Force = c.Force
	r := c.Simulate(p.Ctx, p.Server, w.On(final))
	if r.Outcome.Refused() || r.Object == nil || !p.takes(p.states(final), r) {
		return text.Text{}
	}
	says := text.New("once %v %v gone from the manifest of %v, the next apply of %v takes the live %v, too", p.fields(), p.agree("is", "are"), text.By(p.q.From), text.Name(c.Title), p.agree("value", "values"))
	if c.ClientSide {
		says = says.And(": ", text.New("it applies client-side, and compares with the manifest before, whichever manager owns the field"))
	}
	if c.Name == "helm" && c.ClientSide {
		says = says.And(". ", text.New("Upgrade the release once with --server-side=true, and plan again"))
	}
	return says
}

func (p *planner) takes(before []State, r report.Result) bool {
	for i, s := range p.states(r.Object) {
		if !same(s.Value, before[i].Value) {
			return true
		}
	}
	return false
}
