package settle

import (
	"context"
	"reflect"
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// mostAgain is how often a client is asked again until nothing changes.
const mostAgain = 3

// again is what the same write does once more; nil where that changes nothing.
func (w Write) again(ctx context.Context) *report.Again {
	if w.repeats() {
		return nil
	}
	r := w.once(ctx, w.Result.Object)
	out := w.difference(r)
	switch {
	case out != nil && w.Result.Recreated && r.Outcome.Refused():
		// The object that is to be deleted is still on its way.
		return nil
	case out == nil || r.Outcome.Refused() || out.Recreated:
		return out
	}
	for range mostAgain - 1 {
		if r = w.once(ctx, r.Object); r.Outcome == report.Unchanged || w.difference(r) == nil {
			out.Rests = true
			return out
		}
	}
	return out
}

// repeats reports whether it is known without asking that the write changes nothing more:
// it has changed nothing, or it is one apply of which each value is stored as it was sent.
// Applying again what an entry was applied with is a no-op as long as the object has all of
// it (ownership.Apply), which nothing but what the server makes of values can break.
func (w Write) repeats() bool {
	r := w.Result
	if r.Outcome == report.Unchanged && !r.Recreated {
		return true
	}
	if w.Requests > 1 || w.Asked.Verb != api.Apply || r.Recreated {
		return false
	}
	return !slices.ContainsFunc(r.Changes, func(c report.Change) bool {
		switch c.Reason {
		case report.ReasonApplied, report.ReasonUnowned:
			return false
		case report.ReasonDefaulted:
			// What a decoder fills in, it fills in at each reading.
			return c.Kind != report.Added
		}
		return !serverKept(c.Field)
	})
}

// once sends the write to a state.
func (w Write) once(ctx context.Context, state map[string]any) report.Result {
	asked := w.Asked.On(state)
	asked.Detail, asked.Lines = engine.DetailOutcome, func(report.Result) bool { return false }
	return w.Send(ctx, w.Server, asked)
}

// difference is what a second write changed; nil for nothing.
func (w Write) difference(r report.Result) *report.Again {
	out := &report.Again{Recreated: r.Recreated}
	switch {
	case r.Outcome == report.Failed:
		return nil
	case r.Outcome.Refused():
		out.Refused = r.Status
		return out
	}
	for _, c := range r.Changes {
		if !serverKept(c.Field) && !hollow(c) {
			out.Changes = append(out.Changes, c)
		}
	}
	if len(out.Changes) == 0 && r.Outcome != report.Unchanged && r.Object != nil {
		out.Owners = changedOwners(w.Result.Object, r.Object)
	}
	if len(out.Changes)+len(out.Owners) == 0 && !out.Recreated {
		return nil
	}
	return out
}

// hollow reports whether a change is one of empty maps and lists alone. The object of a result
// lacks what only a server can give, such as the selector of a new Job, and what that was in may
// be left empty; a server stores no such thing.
func hollow(c report.Change) bool {
	return c.Kind == report.Modified && reflect.DeepEqual(filled(c.Before), filled(c.After))
}

// filled is a value without the empty maps and lists in it; nil for one that has nothing else.
func filled(v any) any {
	switch v := v.(type) {
	case map[string]any:
		var out map[string]any
		for key, one := range v {
			if one = filled(one); one != nil {
				if out == nil {
					out = map[string]any{}
				}
				out[key] = one
			}
		}
		if out == nil {
			return nil
		}
		return out
	case []any:
		if len(v) == 0 {
			return nil
		}
	}
	return v
}

// changedOwners are the managers with other fields in one object than in another, sorted.
func changedOwners(before, after map[string]any) []string {
	was, is := managedfields.Of(before).Roles(), managedfields.Of(after).Roles()
	var out []string
	for role, set := range is {
		if was[role] == nil || !was[role].Equals(set) {
			out = append(out, role.Manager)
		}
	}
	for role := range was {
		if is[role] == nil {
			out = append(out, role.Manager)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// serverKept reports whether the API server, or the client's bookkeeping, writes a field at
// every change of others: it counts writes, and is none of its own.
func serverKept(field string) bool {
	switch field {
	case ".metadata.generation", ".metadata.resourceVersion", ".metadata.uid", ".metadata.creationTimestamp",
		".metadata.selfLink", `.metadata.annotations.kubectl.kubernetes.io/last-applied-configuration`,
		".metadata.annotations.deprecated.daemonset.template.generation":
		return true
	}
	return managedfields.Within(field, ".status")
}
