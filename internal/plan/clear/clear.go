package clear

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/managedfields"
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
	c, err := newClearing(server, q)
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
		pruned.Fields = size(c.missing(e))
		out.Pruned = append(out.Pruned, pruned)
	}
	stored := c.live
	if len(chosen.clear)+len(chosen.prune) > 0 || c.unstorable != nil {
		if stored = c.carryOut(ctx, &out, chosen); stored == nil {
			return out
		}
		c.loss(ctx, &out, chosen, stored)
		if q.Applies == WithApplies {
			out.Next = c.next(ctx, chosen, stored)
		}
	} else {
		out.Result = c.unchanged()
	}
	if q.With != nil {
		out.With = c.with(ctx, *q.With, stored)
	}
	return out
}

// unchanged is the answer where nothing is asked.
func (c *clearing) unchanged() *report.Result {
	return &report.Result{
		Target: c.object.Target(), Operation: report.Patch, Outcome: report.Unchanged,
		Live: c.live, LiveSource: c.object.LiveSource, Object: c.live,
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

func newClearing(server api.Server, q Request) (*clearing, error) {
	c := &clearing{server: server, selection: q.Selection, now: q.Now, object: q.Object, live: q.Object.LiveObject}
	if c.live == nil {
		if err := kjson.Unmarshal(q.Object.Live, &c.live); err != nil {
			return nil, fmt.Errorf("parse the live object: %w", err)
		}
		c.object.LiveObject = c.live
	}
	c.owners = managedfields.Of(c.live)
	if err := c.replaceUnstorable(); err != nil {
		return nil, err
	}
	c.shape = managedfields.ShapeOf(server.Types(q.Object.Kind).ParseableType)
	return c, nil
}

func (c *clearing) blank() Clearing {
	var managers, subresources []string
	for _, e := range c.owners.Entries {
		managers, subresources = append(managers, e.Manager), append(subresources, e.Subresource)
	}
	return Clearing{
		Managers: managers, Subresources: subresources,
		Target: c.object.Target(), Source: c.object.LiveAt(),
		Attempt: report.Attempt{Outcome: report.Unchanged}, Entries: len(c.owners.Entries),
		Cleared: []Entry{}, Ownerless: []string{}, Remaining: []report.FieldOwners{},
	}
}

// carryOut asks the server for the patch, and gives what it stores; nil where
// it refuses.
func (c *clearing) carryOut(ctx context.Context, out *Clearing, chosen choice) map[string]any {
	patch, err := c.patch(chosen)
	if err != nil {
		out.Outcome, out.Message = report.Failed, err.Error()
		return nil
	}
	body, err := json.Marshal(patch)
	if err != nil {
		out.Outcome, out.Message = report.Failed, err.Error()
		return nil
	}
	out.Patch = patch
	out.Command = kubectl.Named(c.server, c.object.Kind, c.object.Namespace, c.object.Name).
		Patch(kubectl.Patch{Type: kubectl.JSONPatch, Body: body})
	if err := out.Command.Err(); err != nil {
		out.Findings = append(out.Findings, text.New("no command line can name the object: %v", text.Said(err.Error())))
	}
	out.Whole = len(chosen.clear) == len(c.owners.Entries)
	r := c.patched(ctx, body)
	out.Result, out.Attempt = &r, report.Attempt(r.Answer())
	if r.Outcome.Refused() {
		return nil
	}
	out.Findings = append(out.Findings, c.astray(chosen, r.Object)...)
	return r.Object
}

func (c *clearing) patched(ctx context.Context, body []byte) report.Result {
	w := c.object
	w.Verb, w.Manager, w.UserAgent, w.Subresource = api.JSONPatch, clearer, "", ""
	return engine.Simulate(ctx, c.server, w.WithBody(body, nil))
}
