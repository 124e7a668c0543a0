package clear

import (
	"context"
	"time"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// Request asks to clear entries of one object.
type Request struct {
	// Object names the object: kind, namespace, name, live object, source and
	// time. The rest of the write is not looked at.
	Object    engine.Write
	Selection Selection
	// Now is what ages are counted to.
	Now time.Time
	// Applies says whether the next applies are reported.
	Applies Applies
	// With is the next apply of a real manifest, without its live object; nil
	// for none.
	With *engine.Write
}

// Applies says whether the next applies are simulated.
type Applies bool

// The two ways to ask.
const (
	WithoutApplies Applies = false
	WithApplies    Applies = true
)

// clearer is the field manager that kubectl patch has; the patch gives it
// nothing.
const clearer = "kubectl-patch"

// Clear plans it. It always gives a Clearing: what the server refuses is an
// outcome, and where no answer could be given the outcome is Failed.
func Clear(ctx context.Context, server api.Server, q Request) Clearing {
	c, err := newClearing(ctx, server, q)
	if err != nil {
		return Failure(q.Object, err)
	}
	out := c.blank()
	chosen := c.choose()
	out.Spared = chosen.spared
	out.Findings = c.remarks(chosen)
	for _, e := range chosen.clear {
		out.Cleared = append(out.Cleared, c.entry(e, text.Text{}))
	}
	for _, e := range chosen.prune {
		pruned := c.entry(e, text.Text{})
		pruned.Fields = c.missing(e).Size()
		out.Pruned = append(out.Pruned, pruned)
	}
	stored := c.Live
	if len(chosen.clear)+len(chosen.prune) > 0 || c.unstorable != nil {
		if stored = c.carryOut(&out, chosen); stored == nil {
			return out
		}
		c.loss(&out, chosen, stored)
		if q.Applies == WithApplies {
			out.Next = c.next(chosen, stored)
		}
	} else {
		out.Result = c.unchanged()
	}
	if q.With != nil {
		out.With = c.with(*q.With, stored)
	}
	return out
}

// unchanged is the answer where nothing is asked.
func (c *clearing) unchanged() *report.Result {
	return &report.Result{
		Target: c.Write.Target(), Operation: report.Patch, Outcome: report.Unchanged,
		Live: c.Live, LiveSource: c.Write.LiveSource, Object: c.Live,
	}
}

// Failure is the Clearing where no answer could be given.
func Failure(object engine.Write, err error) Clearing {
	return Clearing{
		Target: object.Target(), Source: object.LiveAt(),
		Attempt: report.Attempt{Outcome: report.Failed, Message: err.Error()},
		Cleared: []Entry{}, Ownerless: []string{}, Remaining: []report.FieldOwners{},
	}
}

func newClearing(ctx context.Context, server api.Server, q Request) (*clearing, error) {
	object, err := ownership.Of(ctx, server, q.Object)
	if err != nil {
		return nil, err
	}
	c := &clearing{Object: object, selection: q.Selection, now: q.Now}
	return c, c.replaceUnstorable()
}

func (c *clearing) blank() Clearing {
	var managers, subresources []string
	for _, e := range c.Owners.Entries {
		managers, subresources = append(managers, e.Manager), append(subresources, e.Subresource)
	}
	return Clearing{
		Managers: managers, Subresources: subresources,
		Target: c.Write.Target(), Source: c.Write.LiveAt(),
		Attempt: report.Attempt{Outcome: report.Unchanged}, Entries: len(c.Owners.Entries),
		Cleared: []Entry{}, Ownerless: []string{}, Remaining: []report.FieldOwners{},
	}
}

// carryOut asks the server for the patch, and gives what it stores; nil where
// it refuses.
func (c *clearing) carryOut(out *Clearing, chosen choice) map[string]any {
	patch, err := c.patch(chosen)
	if err != nil {
		out.Outcome, out.Message = report.Failed, err.Error()
		return nil
	}
	w, err := c.Patching(clearer, "", patch)
	if err != nil {
		out.Outcome, out.Message = report.Failed, err.Error()
		return nil
	}
	out.Patch = patch
	out.Command = kubectl.Named(c.Server, c.Write.Kind, c.Write.Namespace, c.Write.Name).
		Patch(kubectl.Patch{Type: kubectl.JSONPatch, Body: w.Body})
	if err := out.Command.Err(); err != nil {
		out.Findings = append(out.Findings, c.find(noCommand, "no command line can name the object: %v", text.Said(err.Error())))
	}
	out.Whole = len(chosen.clear) == len(c.Owners.Entries)
	r := c.Simulate(w, c.Live).Result
	out.Result, out.Attempt = &r, report.Attempt(r.Answer())
	if r.Outcome.Refused() {
		return nil
	}
	out.Findings = append(out.Findings, c.astray(chosen, r.Object)...)
	return r.Object
}
