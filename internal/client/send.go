package client

import (
	"context"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Send simulates what the client sends for a manifest; the write is an apply of it.
func (c *Client) Send(ctx context.Context, server api.Server, w engine.Write) Run {
	w.Caveats, w.NotKubectl = slices.Concat(w.Caveats, c.doubts(w)), c.Name != KubectlManager
	r := NewSequence(ctx, server, w)
	stop, is := c.Stopped[KeyOf(w)]
	switch {
	case is && stop.Message != "":
		r.Stop(Apply, w, stop.Message)
		if stop.unserved {
			r.Steps[0].Result.Confidence = engine.Simulate(ctx, server, w).Confidence
		}
	case is && stop.After == "":
	case !c.Makes(KeyOf(w)) || c.does.Creating != nil:
		r.Until = stop.After
		c.does.Send(r, w)
	case !c.ClientSide:
		r.Send(Apply, w)
	case c.Name == "helm":
		r.Create(w, Manifest(w))
	default:
		r.ClientSideApply(w)
	}
	run := r.run()
	if stop.Notice != "" {
		r.Note(stop.Notice)
	}
	run.whole.Notices = append(run.whole.Notices, r.notices...)
	run.whole.NotSent = r.notSent(run.whole)
	c.runsHook(w, &run)
	return run
}

// Simulate is Send as one result.
func (c *Client) Simulate(ctx context.Context, server api.Server, w engine.Write) report.Result {
	run := c.Send(ctx, server, w)
	return run.Whole()
}

// Contested is the request in which a manifest may conflict: the apply of the client,
// without force. There is none where the client refuses to send one, and where a client
// that forces is refused. For nil it is the write.
func (c *Client) Contested(ctx context.Context, server api.Server, w engine.Write) (engine.Write, *report.Result) {
	w.Force = false
	if c == nil || c.Name == "kubectl" && !c.ClientSide {
		return w, nil
	}
	if manifest := Manifest(w); c.NameOf != nil && manifest != nil && objects.Text(manifest, "metadata", "name") == "" {
		_ = unstructured.SetNestedField(manifest, w.Name, "metadata", "name")
		w = WithManifest(w, manifest)
	}
	// What the refusal of another object keeps the client from is asked nevertheless.
	alone := *c
	alone.Stopped = maps.Clone(c.Stopped)
	maps.DeleteFunc(alone.Stopped, func(_ Key, s Stop) bool { return s.Message == "" })
	run := alone.Send(ctx, server, w)
	if whole := run.Whole(); whole.Outcome == report.Invalid && (whole.Code == 0 || c.Force) {
		return run.Sent, &whole
	}
	if run.Sent.Verb != api.Apply {
		return w, nil
	}
	run.Sent.Force = false
	return run.Sent, nil
}

// Unforced is the result of the contested request, or the refusal of the client.
func (c *Client) Unforced(ctx context.Context, server api.Server, w engine.Write) report.Result {
	contested, refusal := c.Contested(ctx, server, w)
	if refusal != nil {
		return *refusal
	}
	return engine.Simulate(ctx, server, contested)
}

// Sequence are the requests of a run as a report has them.
func (c *Client) Sequence(run Run) *report.Sequence {
	s := &report.Sequence{Name: c.Name, Version: c.Version, Steps: []report.Sent{}}
	for _, step := range run.Steps {
		s.Steps = append(s.Steps, report.Sent{
			Request: string(step.Request), Manager: step.Result.Manager, Force: step.Result.Force, Answer: step.Result.Answer(),
		})
	}
	return s
}
