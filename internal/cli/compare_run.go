package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/plan/compare"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
)

// bothDumps is an object as the two dumps have it; nil where one has none.
type bothDumps struct {
	key           live.Key
	before, after *live.Object
	// err says why the dumps do not show which object it is.
	err error
}

// newest is the object as the later dump that has it says.
func (b bothDumps) newest() *live.Object {
	if b.after == nil {
		return b.before
	}
	return b.after
}

func (b bothDumps) sources() (before, after *report.Source) {
	source := func(o *live.Object) *report.Source {
		if o == nil {
			return nil
		}
		s := report.Source(o.Source)
		return &s
	}
	return source(b.before), source(b.after)
}

func (o *compareOptions) inquiry() inquiry[bothDumps, compare.Comparison, compare.Document] {
	return inquiry[bothDumps, compare.Comparison, compare.Document]{
		question: question[bothDumps, compare.Comparison]{reads: o.reading(), verb: "comparing", subjects: o.subjects, ask: o.ask, failed: o.failed},
		document: o.document, show: o.show, verdict: o.verdict,
	}
}

// subjects are the objects of both dumps, sorted by key.
func (o *compareOptions) subjects(ctx context.Context, c *cluster) ([]bothDumps, error) {
	o.partial.after = c.liveUnread
	known := len(c.problems)
	var errs []error
	o.past, errs = live.Load([]string{o.before}, live.Options{
		Input: c.app.reading(ctx, &o.inputFlags, c), KeyOf: c.scope.key, Match: o.selector.matches, HoldBytes: holdBytes,
		Amend: func(d manifest.Document) manifest.Document { return c.reveal(d, &o.inputFlags) },
	})
	c.addLives(errs)
	o.partial.before = len(c.problems) > known
	o.next = c.byKey(c.extra[0])
	found := map[live.Key]bothDumps{}
	for _, object := range o.past.Objects() {
		if c.inNamespace(object.Key, nil) {
			found[object.Key] = bothDumps{key: object.Key, before: object}
		}
	}
	for _, object := range c.live.Objects() {
		if c.inNamespace(object.Key, nil) {
			b := found[object.Key]
			b.key, b.after = object.Key, object
			found[object.Key] = b
		}
	}
	if o.partial.before && len(o.past.Objects()) == 0 || o.partial.after && len(c.live.Objects()) == 0 {
		return nil, nil
	}
	subjects := slices.SortedFunc(maps.Values(found), func(a, b bothDumps) int { return cmp.Compare(a.key.String(), b.key.String()) })
	for i := range subjects {
		subjects[i].err = cmp.Or(o.ambiguous(c, subjects[i].key), o.unknown(subjects[i]))
	}
	if len(subjects) == 0 && len(c.problems) == 0 {
		return nil, fmt.Errorf("the dumps have no objects%s", c.ofNamespace())
	}
	return subjects, nil
}

// ambiguous is the error of a dump that has two objects of one key.
func (o *compareOptions) ambiguous(c *cluster, key live.Key) error {
	for _, dump := range []*live.Index{o.past, c.live} {
		if _, err := dump.Get(key); err != nil {
			return err
		}
	}
	return nil
}

// unknown is the error of an object that may be in what could not be read of a
// dump.
func (o *compareOptions) unknown(b bothDumps) error {
	switch {
	case b.before == nil && o.partial.before:
		return errors.New("the earlier dump could not be read as a whole, so that it may have the object")
	case b.after == nil && o.partial.after:
		return errors.New("the later dump could not be read as a whole, so that it may have the object")
	}
	return nil
}

func (o *compareOptions) ask(ctx context.Context, c *cluster, b bothDumps) compare.Comparison {
	q := compare.Request{Target: blameTarget(b.newest()), Shape: c.shape(b.newest()), Status: o.status, Server: c.server}
	err := cmp.Or(b.err, c.undefined(kindOf(b.newest().Identity)))
	for _, side := range []struct {
		to   *compare.Side
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
	c.compareDigests(&q, b.key)
	if d, ok := o.next[b.key.String()]; ok {
		w := c.write(pair{document: d, key: b.key})
		w.Manager, w.Force, w.FieldValidation, w.MediaType = o.manager, o.force, "Strict", ""
		q.Apply = &w
	}
	return compare.Compare(ctx, q)
}

func (o *compareOptions) failed(_ *cluster, b bothDumps, err error) compare.Comparison {
	before, after := b.sources()
	return compare.Failure(blameTarget(b.newest()), before, after, err)
}

func (o *compareOptions) document(_ context.Context, c *cluster, objects []compare.Comparison, run report.Run) (compare.Document, error) {
	return compare.NewDocument(run, objects), nil
}

func (o *compareOptions) show(c *cluster, seen, _ compare.Document) error {
	return o.answer(c.app, c.now, o.live, render.Compare(seen))
}

// verdict is trouble where something could not be compared, else no where a next
// apply would be rejected, or a difference was asked about.
func (o *compareOptions) verdict(_ *cluster, d compare.Document) error {
	switch {
	case d.Summary.Failed > 0 || len(d.Problems) > 0:
		return errTrouble
	case d.Summary.Refused > 0 || o.exitCode && d.Summary.Differ():
		return errNo
	}
	return nil
}
