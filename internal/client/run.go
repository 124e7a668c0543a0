package client

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/engine/extract"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Request is what a request of a client is for.
type Request string

// The requests.
const (
	// Apply is the manifest.
	Apply Request = "Apply"
	// KeepAnnotation keeps the last-applied annotation.
	KeepAnnotation Request = "KeepAnnotation"
	// MoveEntries moves client-side entries to the manager.
	MoveEntries Request = "MoveEntries"
	// ApplyAgain is the manifest, once more.
	ApplyAgain Request = "ApplyAgain"
)

// Step is one request with its result.
type Step struct {
	Request Request
	Result  report.Result
}

// Run is what a client sends for one object: at least one step, each simulated on the
// object that the one before leaves.
type Run struct {
	Steps []Step
}

// Once is a run of one request.
func Once(r report.Result) Run { return Run{Steps: []Step{{Apply, r}}} }

// First is the answer to the first request, by which clients succeed or fail.
func (r Run) First() report.Result { return r.Steps[0].Result }

// Object is what the requests leave; nil where the first one is refused.
func (r Run) Object() map[string]any {
	for _, step := range slices.Backward(r.Steps) {
		if step.Result.Object != nil {
			return step.Result.Object
		}
	}
	return nil
}

// Moved are the managers of the entries that the client moves, sorted; nil without.
func (r Run) Moved() []string {
	if !slices.ContainsFunc(r.Steps, func(s Step) bool { return s.Request == MoveEntries }) {
		return nil
	}
	return AnnotationUpdaters(r.First().Object)
}

// Refused is the request after the first that the server refuses; false without.
func (r Run) Refused() (Step, bool) {
	last := r.Steps[len(r.Steps)-1]
	return last, len(r.Steps) > 1 && last.Result.Outcome.Refused()
}

// Loss is a field that a request after the first removes or changes.
type Loss struct {
	report.Change
	// Owners are the managers that owned it, sorted.
	Owners []string
}

// Losses are what requests after the first do to values, sorted by field.
func (r Run) Losses() []Loss {
	var out []Loss
	for _, step := range r.Steps[1:] {
		for _, c := range step.Result.Changes {
			if c.Field != ".metadata.generation" && c.Field != ".metadata.annotations."+LastApplied && c.Kind != report.Added {
				out = append(out, Loss{c, nil})
			}
		}
	}
	if out == nil {
		return nil
	}
	owned := managedfields.Of(r.First().Live).Paths()
	for i := range out {
		out[i].Owners = ownersOf(owned, out[i].Field)
	}
	return out
}

// ownersOf are the managers of a field, or of what is in it.
func ownersOf(owned []managedfields.Owned, field string) []string {
	var out []string
	for _, o := range owned {
		if !managedfields.Within(o.Field, field) {
			continue
		}
		for _, e := range o.By {
			out = append(out, e.Manager)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Simulate is engine.Simulate of a write, with all requests of kubectl where the write
// is an apply as kubectl's own field manager.
func Simulate(ctx context.Context, server api.Server, w engine.Write) report.Result {
	if w.Manager != KubectlManager {
		return engine.Simulate(ctx, server, w)
	}
	return Kubectl(ctx, server, w).Whole()
}

// Loses reports whether a request after the first takes a field, or a part of it.
func (r Run) Loses(field string) bool {
	return slices.ContainsFunc(r.Losses(), func(l Loss) bool {
		return managedfields.Within(l.Field, field) || managedfields.Within(field, l.Field)
	})
}

// Whole is the run as one result: the verdict of the first request, with the object
// that the last accepted one leaves and all changes up to it.
func (r Run) Whole() report.Result {
	out := r.First()
	for _, step := range r.Steps[1:] {
		if step.Result.Outcome.Refused() {
			break
		}
		out.Changes = merged(out.Changes, step.Result.Changes)
		out.Object, out.Ownership, out.Outcome = step.Result.Object, step.Result.Ownership, report.Configured
	}
	return out
}

// merged are changes followed by later ones, sorted by field.
func merged(first, later []report.Change) []report.Change {
	out := slices.Clone(first)
	for _, c := range later {
		i := slices.IndexFunc(out, func(f report.Change) bool { return f.Field == c.Field })
		if i < 0 {
			out = append(out, c)
			continue
		}
		c.Before = out[i].Before
		switch {
		case out[i].Kind == report.Added && c.Kind == report.Modified:
			c.Kind = report.Added
		case out[i].Kind == report.Removed && c.Kind == report.Added:
			c.Kind = report.Modified
		}
		out[i] = c
	}
	out = slices.DeleteFunc(out, func(c report.Change) bool { return c.Kind != report.Removed && reflect.DeepEqual(c.Before, c.After) })
	slices.SortStableFunc(out, func(a, b report.Change) int { return cmp.Compare(a.Field, b.Field) })
	return out
}

// sequence sends the requests of a run.
type sequence struct {
	Run
	ctx    context.Context
	server api.Server
}

// send simulates a request on the object that the run has come to, and reports
// whether the server accepts it.
func (r *sequence) send(request Request, w engine.Write) bool {
	result := engine.Simulate(r.ctx, r.server, extract.On(w, r.Object()))
	r.Steps = append(r.Steps, Step{request, result})
	return !result.Outcome.Refused()
}
