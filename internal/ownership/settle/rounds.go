package settle

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
)

// other is a writer that writes by itself.
type other struct {
	// manager is its field manager, and by the object that has it write; empty for none.
	manager, by string
	// partial: its next value is not known, and its last one stands for it.
	partial bool
	// next is what it does to the object in a state: false where it is content with it.
	next func(*ownership.Object) (ownership.Next, bool)
}

// move is one write that changed values.
type move struct {
	round       int
	manager, by string
	leaves      []engine.Leaf
}

// course is the object on its way through the rounds.
type course struct {
	*ownership.Object
	state   map[string]any
	moves   []move
	refused map[string]bool
}

// rounds has the others write, and then the client, until nothing changes or a state comes
// back. States are compared by their values and by who owns them, but for the times.
func (w Write) rounds(ctx context.Context, others []other) *report.Settles {
	out := &report.Settles{Result: report.Unknown, Confidence: report.Exact}
	o, err := ownership.Of(ctx, w.Server, w.Asked.On(w.Result.Object))
	if err != nil {
		return out
	}
	for _, one := range others {
		if one.partial {
			out.Confidence = report.Partial
		}
	}
	c := course{Object: o, state: w.Result.Object}
	seen := []string{identity(c.state)}
	for round := 1; round <= w.Rounds; round++ {
		out.Rounds, c.refused = round, map[string]bool{}
		for _, one := range others {
			if next, writes := one.next(c.In(c.state)); writes {
				c.take(round, one.manager, one.by, next.Result)
			}
		}
		c.take(round, w.Result.Manager, "", w.once(ctx, c.state))
		now := identity(c.state)
		back := slices.Index(seen, now)
		if seen = append(seen, now); back < 0 {
			continue
		}
		if out.Cycle = c.cycle(back + 1); out.Cycle != nil {
			out.Result = report.Cycle
		} else {
			out.Result = report.FixedPoint
		}
		break
	}
	if len(c.refused) > 0 {
		out.Refused = slices.Sorted(maps.Keys(c.refused))
	}
	return out
}

// take takes over what a write leaves. One that the server rejects leaves the object as it
// is.
func (c *course) take(round int, manager, by string, r report.Result) {
	if r.Outcome.Refused() || r.Object == nil {
		if r.Outcome != report.Failed {
			c.refused[cmp.Or(by, manager)] = true
		}
		return
	}
	leaves := slices.DeleteFunc(engine.Difference(c.Shape, c.state, r.Object), func(l engine.Leaf) bool {
		return serverKept(l.Field)
	})
	c.state = r.Object
	if len(leaves) > 0 {
		c.moves = append(c.moves, move{round, manager, by, leaves})
	}
}

// cycle are the values that are set in turn from a round on, by field; nil where none is set
// by several writers, or to several values.
func (c *course) cycle(from int) []report.CycleStep {
	steps := map[string][]report.CycleStep{}
	for _, m := range c.moves {
		if m.round < from {
			continue
		}
		for _, l := range m.leaves {
			step := report.CycleStep{
				Writer: m.manager, By: m.by, Field: l.Field, Value: l.After, Removed: l.Kind == report.Removed,
			}
			if !slices.ContainsFunc(steps[l.Field], func(s report.CycleStep) bool { return reflect.DeepEqual(s, step) }) {
				steps[l.Field] = append(steps[l.Field], step)
			}
		}
	}
	var out []report.CycleStep
	for _, field := range slices.Sorted(maps.Keys(steps)) {
		if len(steps[field]) > 1 {
			out = append(out, steps[field]...)
		}
	}
	return out
}

// identity is the same for states that no writer tells apart.
func identity(state map[string]any) string {
	state = maps.Clone(state)
	metadata, _ := state["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	for _, name := range []string{"generation", "resourceVersion", "managedFields"} {
		delete(metadata, name)
	}
	state["metadata"] = metadata
	var owners []any
	entries := managedfields.Of(state).Entries
	for _, e := range entries {
		e.Time = nil
		if encoded, err := e.Encode(); err == nil {
			owners = append(owners, encoded)
		}
	}
	// What was decoded from JSON can be encoded; maps come in the order of their keys.
	text, _ := json.Marshal([]any{state, owners})
	return string(text)
}
