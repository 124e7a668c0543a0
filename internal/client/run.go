package client

import (
	"slices"

	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// Request is what a request of a client is for.
type Request string

// The requests.
const (
	// Apply is the manifest.
	Apply Request = "Apply"
	// DryRun is the manifest as a dry run.
	DryRun Request = "DryRun"
	// KeepAnnotation keeps the last-applied annotation.
	KeepAnnotation Request = "KeepAnnotation"
	// MoveEntries moves client-side entries to the manager.
	MoveEntries Request = "MoveEntries"
	// ApplyAgain is the manifest, once more.
	ApplyAgain Request = "ApplyAgain"
	// Create creates an object that is absent.
	Create Request = "Create"
	// Patch is what a client works out of the manifest, the one before and the live
	// object.
	Patch Request = "Patch"
	// Replace is the manifest as the whole object.
	Replace Request = "Replace"
	// Delete deletes the object.
	Delete Request = "Delete"
)

// Step is one request with its result.
type Step struct {
	Request Request
	Result  report.Result
	// Warned: where the server refuses it, the client warns, and succeeds.
	Warned bool
}

// Run is what a client sends for one object, each request simulated on the object that
// the one before leaves.
type Run struct {
	Steps []Step
	// verdict is the result by which the client succeeds or fails.
	whole, verdict report.Result
	// Sent is the write of the client's own: the manifest as it sends it, on the object
	// as it is then.
	Sent engine.Write
}

// Once is a run of one request.
func Once(r report.Result) Run { return Run{Steps: []Step{{Request: Apply, Result: r}}, whole: r} }

// First is the answer to the first request, by which kubectl succeeds or fails.
func (r Run) First() report.Result { return r.Steps[0].Result }

// Whole is the run as one result: the verdict of the client, with the object that it
// leaves and all changes up to it.
func (r Run) Whole() report.Result { return r.whole }

// Verdict is the result of the request by which the client succeeds or fails.
func (r Run) Verdict() report.Result { return r.verdict }

// Object is what the requests leave; nil where there is none.
func (r Run) Object() map[string]any { return r.whole.Object }

// Moved are the managers of the entries that the client moves, sorted; nil without.
func (r Run) Moved() []string {
	var out []string
	for _, role := range moved(r.Steps) {
		out = append(out, role.Manager)
	}
	slices.Sort(out)
	return slices.Compact(out)
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
	// Dropped: the manifest of the last client-side apply had it, or a part of it.
	Dropped bool
}

// Losses are what requests after the first do to values, sorted by field.
func (r Run) Losses() []Loss {
	var out []Loss
	for _, step := range r.Steps[1:] {
		for _, c := range step.Result.Changes {
			if c.Field != ".metadata.generation" && c.Field != ".metadata.annotations."+LastApplied && c.Kind != report.Added {
				out = append(out, Loss{Change: c})
			}
		}
	}
	if out == nil {
		return nil
	}
	owned := managedfields.Of(r.First().Live).Paths()
	applied := objects.Decode(LastManifest(r.First().Live))
	for i := range out {
		out[i].Owners = ownersOf(owned, out[i].Field)
		out[i].Dropped = slices.ContainsFunc(owned, func(o managedfields.Owned) bool {
			return managedfields.Within(o.Field, out[i].Field) && len(objects.Located(o.Path, applied)) > 0
		})
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

// Loses reports whether a request after the first takes a field, or a part of it.
func (r Run) Loses(field string) bool {
	return slices.ContainsFunc(r.Losses(), func(l Loss) bool {
		return managedfields.Within(l.Field, field) || managedfields.Within(field, l.Field)
	})
}
