package compare

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
)

// bothDumps is an object as the two dumps have it; nil where one has none.
type bothDumps struct {
	key           live.Key
	before, after *live.Object
	// err says why the dumps do not show which object it is.
	err error
}

// newest is the object as the later dump that has it says.
func (b bothDumps) newest() *live.Object { return cmp.Or(b.after, b.before) }

func (o *compareOptions) inquiry() run.Inquiry[bothDumps, Comparison, Document] {
	return run.Inquiry[bothDumps, Comparison, Document]{
		Question: run.Question[bothDumps, Comparison]{
			Reads:    o.Reading(),
			Verb:     "comparing",
			Subjects: o.subjects,
			Ask:      o.ask,
			Failed:   o.failed,
		},
		Document: func(_ context.Context, _ *cluster.Cluster, objects []Comparison, of report.Run) (Document, error) {
			return NewDocument(of, objects), nil
		},
		Show: func(c *cluster.Cluster, seen, _ Document) error {
			return o.Answer(c.App, c.Now, o.Live, answer(seen, o.exit(seen)))
		},
		Verdict: o.verdict,
	}
}

// subjects are the objects of both dumps, sorted by key.
func (o *compareOptions) subjects(ctx context.Context, c *cluster.Cluster) ([]bothDumps, error) {
	o.partial.after = c.LiveUnread
	known := len(c.Problems)
	var errs []error
	o.past, errs = live.Load([]string{o.before}, live.Options{
		Input: cluster.Reading(ctx, c.App, &o.Flags, &c.Inputs), KeyOf: c.Scope.Key,
		Match: o.Selector.Matches, HoldBytes: cluster.HoldBytes,
		Amend: func(d manifest.Document) manifest.Document { return c.Reveal(d, &o.Flags) },
	})
	c.AddLives(errs)
	o.partial.before = len(c.Problems) > known
	o.next = c.ByKey(c.Extra[0])
	found := map[live.Key]bothDumps{}
	for _, object := range o.past.Objects() {
		if c.InNamespace(object.Key, nil) {
			found[object.Key] = bothDumps{key: object.Key, before: object}
		}
	}
	for _, object := range c.Live.Objects() {
		if c.InNamespace(object.Key, nil) {
			b := found[object.Key]
			b.key, b.after = object.Key, object
			found[object.Key] = b
		}
	}
	if o.partial.before && len(o.past.Objects()) == 0 || o.partial.after && len(c.Live.Objects()) == 0 {
		return nil, nil
	}
	subjects := slices.SortedFunc(
		maps.Values(found),
		func(a, b bothDumps) int { return cmp.Compare(a.key.String(), b.key.String()) },
	)
	for i := range subjects {
		// A dump may have two objects of one key.
		_, before := o.past.Get(subjects[i].key)
		_, after := c.Live.Get(subjects[i].key)
		subjects[i].err = cmp.Or(before, after, o.unknown(subjects[i]))
	}
	if len(subjects) == 0 && len(c.Problems) == 0 {
		return nil, fmt.Errorf("the dumps have no objects%s", c.OfNamespace())
	}
	return subjects, nil
}

// unknown is the error of an object that may be in what could not be read of a
// dump.
func (o *compareOptions) unknown(b bothDumps) error {
	dump := "earlier"
	switch {
	case b.before == nil && o.partial.before:
	case b.after == nil && o.partial.after:
		dump = "later"
	default:
		return nil
	}
	return fmt.Errorf("the %s dump could not be read as a whole, so that it may have the object", dump)
}

func (o *compareOptions) ask(ctx context.Context, c *cluster.Cluster, b bothDumps) Comparison {
	q := Request{Target: cluster.TargetOfLive(b.newest()), Shape: c.Shape(b.newest()), Status: o.status, Server: c.Server}
	err := cmp.Or(b.err, c.Undefined(input.KindOf(b.newest().Identity)))
	for _, side := range []struct {
		to   *Side
		from *live.Object
	}{{&q.Before, b.before}, {&q.After, b.after}} {
		if side.from == nil || err != nil {
			continue
		}
		side.to.Source = report.Source(side.from.Source)
		side.to.Object, err = side.from.Decode()
	}
	if err != nil {
		return o.failed(c, b, err)
	}
	compareDigests(c, &q, b.key)
	if d, ok := o.next[b.key.String()]; ok {
		w := c.Write(cluster.Pair{Document: d, Key: b.key})
		w.Manager, w.Force, w.FieldValidation, w.MediaType = o.manager, o.force, "Strict", ""
		q.Apply = &w
	}
	return Compare(ctx, q)
}

func (o *compareOptions) failed(_ *cluster.Cluster, b bothDumps, err error) Comparison {
	source := func(o *live.Object) *report.Source {
		if o == nil {
			return nil
		}
		s := report.Source(o.Source)
		return &s
	}
	return Comparison{
		Target: cluster.TargetOfLive(b.newest()),
		Before: source(b.before),
		After:  source(b.after),
		State:  Failed,
		Error:  err.Error(),
	}
}

// verdict is trouble where something could not be compared, else no where there is a
// reason to exit with 1.
func (o *compareOptions) verdict(_ *cluster.Cluster, d Document) error {
	switch {
	case d.Summary.Failed > 0 || len(d.Problems) > 0:
		return app.ErrTrouble
	case o.exit(d) != "":
		return app.ErrNo
	}
	return nil
}

// exit is why the exit code is 1: a next apply would be rejected, or a difference was asked
// about. It is empty where it is another.
func (o *compareOptions) exit(d Document) string {
	s := d.Summary
	switch {
	case s.Failed > 0 || len(d.Problems) > 0 || d.Interrupted != nil:
		return ""
	case s.Refused > 0:
		return "exit 1: the API server would reject " + words.Count(s.Refused, "next apply")
	case o.exitCode && s.Total > s.Unchanged+s.Failed:
		return "exit 1: --exit-code (" + words.Count(s.Total-s.Unchanged, "object") + " changed)"
	}
	return ""
}

// compareDigests has the two sides of a comparison, and each of them and the manifest,
// differ only in values that are known to differ.
func compareDigests(c *cluster.Cluster, q *Request, key live.Key) {
	if !c.Digests.Left[key].Left() {
		return
	}
	s := c.Digests.Sealer
	s.Know(q.Before.Object)
	s.Know(q.After.Object)
	before, after := q.Before.Object, q.After.Object
	if before != nil && after != nil {
		q.Before.Object, _ = s.Reveal(before, after)
		q.After.Object, _ = s.Reveal(after, q.Before.Object)
	}
	q.Before.Applied, _ = s.Reveal(q.Before.Object, c.Digests.Wanted[key])
	q.After.Applied, _ = s.Reveal(q.After.Object, c.Digests.Wanted[key])
}
