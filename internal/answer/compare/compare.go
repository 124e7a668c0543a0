// Package compare says of the results of a run what a change of the manifests causes: it
// compares them with those of the manifests before the change, on the same live objects.
//
//	compare.go  the results before, and each result next to its own
//	finding.go  which findings are the same one
//	same.go     which results say the same
//	folded.go   what formats for people show of a compared result
//
// It is pure: it knows nothing of files, revisions or formats. Its laws: a finding that
// both sides have, as severe, is never caused by the change; with the sides swapped, what was
// caused is fixed and what was fixed is caused; a run compared with itself has no difference.
package compare

import (
	"slices"

	"github.com/ssactl/ssactl/internal/report"
)

// Written is a result and the manifest that it is of.
type Written struct {
	report.Result
	// Manifest is the manifest as JSON; nil for a result without one, such as a deletion
	// that follows the manifests.
	Manifest []byte
}

// Before are the results of the manifests before a change. The zero value has none.
type Before struct {
	// results are those of each object in their order: an object may be written several
	// times, and only those of the same number are compared.
	results map[object][]*Written
	order   []*Written
	met     map[*Written]bool
	turn    map[object]int
	// Tally counts what was compared.
	Tally report.Comparison
}

// object is what a result is about, at any API version.
type object struct{ group, kind, namespace, name, subresource string }

func objectOf(t report.Target) object {
	return object{t.Group(), t.Kind, t.Namespace, t.Name, t.Subresource}
}

// Add takes the next result.
func (b *Before) Add(w Written) {
	if b.results == nil {
		b.results = map[object][]*Written{}
	}
	of := objectOf(w.Target)
	b.results[of], b.order = append(b.results[of], &w), append(b.order, &w)
}

// Compare gives a result of the run with what of it the change causes, and reports whether
// it differs. Results come in the order of the run. One that stands is the same before the
// change, so that it was not added.
func (b *Before) Compare(after Written, stands bool) (report.Result, bool) {
	before := &after
	if !stands {
		before = b.next(after)
	}
	out := attributed(before, after)
	b.count(out)
	differs := before == nil || !same(*before, after)
	if differs {
		b.Tally.Differ++
	} else {
		b.Tally.Same++
	}
	return out, differs
}

// next is the result before that is compared with one; nil for none.
func (b *Before) next(after Written) *Written {
	of := objectOf(after.Target)
	n := b.turn[of]
	if n >= len(b.results[of]) {
		return nil
	}
	if b.turn == nil {
		b.turn, b.met = map[object]int{}, map[*Written]bool{}
	}
	b.turn[of]++
	before := b.results[of][n]
	b.met[before] = true
	return before
}

// Refused reports whether any of the results is a refusal.
func (b *Before) Refused() bool {
	return slices.ContainsFunc(b.order, func(w *Written) bool { return w.Outcome.Refused() })
}

// Gone are the results before that no result of the run was compared with, in their order,
// as results of it: their manifests are removed, and nothing is sent.
func (b *Before) Gone() []report.Result {
	var out []report.Result
	for _, before := range b.order {
		if b.met[before] {
			continue
		}
		r := report.Result{
			Target: before.Target, Source: before.Source, Operation: before.Operation, Manager: before.Manager,
			Outcome: report.Unchanged, Live: before.Live, LiveSource: before.LiveSource, Object: before.Live,
			Warnings: []string{}, Conflicts: []report.Conflict{}, Changes: []report.Change{},
			Ownership: []report.FieldOwners{}, Transfers: []report.Transfer{}, Findings: []report.Finding{},
			Removed: true, Confidence: report.Confidence{Level: report.Exact},
		}
		r = attributed(before, Written{Result: r})
		b.count(r)
		b.Tally.Differ++
		out = append(out, r)
	}
	return out
}

// count counts the findings of a compared result.
func (b *Before) count(r report.Result) {
	for _, f := range r.Findings {
		switch f.Cause {
		case report.StoodBefore:
			b.Tally.Before.Count(f.Severity)
		case report.FixedByChange:
			b.Tally.Fixed.Count(f.Severity)
		default:
			b.Tally.Caused.Count(f.Severity)
		}
	}
	for _, c := range slices.Concat(r.Changes, r.Undone) {
		byServer := []report.Reason{report.ReasonDefaulted, report.ReasonNormalised, report.ReasonStrategy}
		if c.Cause != report.StoodBefore && !slices.Contains(byServer, c.Reason) {
			b.Tally.Fields++
		}
	}
	switch {
	case !r.Decides():
	case r.Outcome == report.Failed:
		b.Tally.Failed++
	default:
		b.Tally.Refused++
	}
}

// attributed is a result with the cause of each finding and of each change, those that the
// change makes first.
func attributed(before *Written, after Written) report.Result {
	r := after.Result
	var was report.Result
	if before != nil {
		was = before.Result
	}
	unasked := r.Outcome == report.Failed && before != nil && !sameManifest(*before, after)
	r.Findings = causes(was, r, unasked)
	r.Risks = risks(was, r)
	r.Changes, r.Undone = changes(was, r)
	r.Transfers = transfers(was, r)
	if before != nil {
		r.Former, r.FormerObject = was.Outcome, was.Object
		if was.Deleted {
			r.FormerObject = nil
		}
	}
	return r
}

// transfers are those of a result, with what the manifest before the change does too.
func transfers(was, r report.Result) []report.Transfer {
	if r.Transfers == nil {
		return nil
	}
	list := slices.Clone(r.Transfers)
	for i, t := range list {
		list[i].Stood = slices.Contains(was.Transfers, t)
	}
	return list
}

// changes are those of a result with their causes, and those that only the manifests before
// the change make.
func changes(was, r report.Result) (list, undone []report.Change) {
	if r.Changes == nil {
		return nil, nil
	}
	made := map[string]report.Change{}
	for _, c := range was.Changes {
		made[c.Field] = c
	}
	list = slices.Clone(r.Changes)
	for i, c := range list {
		before, is := made[c.Field]
		list[i].Cause = report.CausedByChange
		if is && sameChange(before, c) {
			list[i].Cause = report.StoodBefore
		}
		delete(made, c.Field)
	}
	if r.Outcome.Refused() || r.Removed {
		return list, nil
	}
	for _, c := range was.Changes {
		if _, left := made[c.Field]; left {
			c.Cause = report.FixedByChange
			undone = append(undone, c)
		}
	}
	return list, undone
}
