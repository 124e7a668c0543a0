package redact

import (
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// Report gives a report in which the values of Secrets are masked. The given
// report is not changed.
func Report(doc report.Report) report.Report {
	if doc.Results == nil {
		return doc
	}
	s := NewResults()
	results := make([]report.Result, len(doc.Results))
	for i, r := range doc.Results {
		results[i] = s.Mask(r)
	}
	doc.Results = results
	return doc
}

// Result is Report for one result, numbered on its own.
func Result(r report.Result) report.Result { return NewResults().Mask(r) }

// Results masks the results of one run, one after the other. Masks are
// numbered through all of them, so that equal values of two Secrets are seen
// to be equal. It is not safe for concurrent use.
type Results struct{ numbers map[digest]int }

// NewResults starts the numbering.
func NewResults() *Results { return &Results{numbers: map[digest]int{}} }

// Mask gives the result with the values of Secrets masked. The given one is
// not changed. Texts are searched for the values of their own result: a
// server's message can quote no other.
func (s *Results) Mask(r report.Result) report.Result {
	if !HoldsSecrets(r) {
		return r
	}
	m := newMasks()
	m.numbers = s.numbers
	return m.result(r)
}

// HoldsSecrets tells whether a result has anything to mask.
func HoldsSecrets(r report.Result) bool {
	t := r.Target
	if t.APIVersion == "v1" && (t.Kind == "Secret" || t.Kind == "SecretList" || t.Kind == "List") {
		return true
	}
	for _, object := range objects(r) {
		if isSecret(object) || isList(object) {
			return true
		}
	}
	return false
}

func objects(r report.Result) []map[string]any {
	list := []map[string]any{r.Live, r.Object}
	if r.Forced != nil {
		list = append(list, r.Forced.Object)
	}
	return list
}

func isSecret(object map[string]any) bool {
	return object["apiVersion"] == "v1" && object["kind"] == "Secret"
}

func isList(object map[string]any) bool {
	kind, _ := object["kind"].(string)
	return object["apiVersion"] == "v1" && (kind == "List" || kind == "SecretList")
}

// result masks objects and values first, as they tell what to look for in the
// texts.
func (m *masks) result(r report.Result) report.Result {
	r.Live, r.Object = m.object(r.Live), m.object(r.Object)
	if r.Forced != nil {
		f := *r.Forced
		f.Object, f.Changes = m.object(f.Object), m.changes(f.Changes)
		r.Forced = &f
	}
	r.Changes, r.Conflicts = m.changes(r.Changes), m.conflicts(r.Conflicts)
	r.Status, r.Causes = m.status(r.Status), m.causes(r.Causes)
	if r.Forced != nil {
		r.Forced.Status, r.Forced.Causes = m.status(r.Forced.Status), m.causes(r.Forced.Causes)
		r.Forced.Transfers = m.transfers(r.Forced.Transfers)
	}
	r.Error = m.text(r.Error)
	r.Warnings, r.Notices = m.texts(r.Warnings), m.texts(r.Notices)
	r.Confidence = m.confidence(r.Confidence)
	r.Transfers = m.transfers(r.Transfers)
	r.Ownership = m.owners(r.Ownership)
	return r
}

func (m *masks) confidence(c report.Confidence) report.Confidence {
	c.Notes, c.Reasons = m.texts(c.Notes), slices.Clone(c.Reasons)
	for i, r := range c.Reasons {
		c.Reasons[i].Message, c.Reasons[i].Field = m.text(r.Message), managedfields.FieldOfSecret(r.Field)
	}
	return c
}

func (m *masks) changes(list []report.Change) []report.Change {
	if list == nil {
		return nil
	}
	out := make([]report.Change, len(list))
	for i, c := range list {
		c.Before, c.After = m.field(c.Field, c.Before), m.field(c.Field, c.After)
		c.Field = managedfields.FieldOfSecret(c.Field)
		out[i] = c
	}
	return out
}

func (m *masks) conflicts(list []report.Conflict) []report.Conflict {
	if list == nil {
		return nil
	}
	out := make([]report.Conflict, len(list))
	for i, c := range list {
		if !c.LiveMissing {
			c.Live = m.field(c.Field, c.Live)
		}
		if !c.AppliedMissing {
			c.Applied = m.field(c.Field, c.Applied)
		}
		c.Field = managedfields.FieldOfSecret(c.Field)
		out[i] = c
	}
	return out
}

func (m *masks) transfers(list []report.Transfer) []report.Transfer {
	return pathsOf(list, func(t *report.Transfer) *string { return &t.Field })
}

func (m *masks) owners(list []report.FieldOwners) []report.FieldOwners {
	return pathsOf(list, func(o *report.FieldOwners) *string { return &o.Field })
}

// pathsOf gives a list in which the paths hold no values.
func pathsOf[T any](list []T, path func(*T) *string) []T {
	out := slices.Clone(list)
	for i := range out {
		p := path(&out[i])
		*p = managedfields.FieldOfSecret(*p)
	}
	return out
}
