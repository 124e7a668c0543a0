package engine

import (
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// changes are the differences from the live to the stored object with their
// reasons, sorted by field; none where nothing is stored.
//
// The server does not say why a field changes. It follows from three things:
// what the write asks for, what the manager applied before, and what
// admission set:
//
//	the body asks for        the manager applied it before   the field   reason
//	the value stored                                         set         Applied
//	another value                                            set         Normalised
//	a value                                                  removed     Normalised
//	its removal (not apply)                                  removed     Applied
//	its removal (not apply)                                  set         Defaulted
//	nothing                  yes                             removed     Unowned
//	nothing                  yes                             null        Unowned
//	nothing                  yes                             set         Defaulted
//	nothing                  no                              added       Defaulted
//	nothing                  no                              otherwise   Strategy
//
// Example: x applies {replicas: 3, cpu: 1000m} and now {cpu: "2000m"}. Then cpu is stored
// as "2": Normalised; replicas goes, and comes back as 1 at once: Defaulted. What admission
// set and the body does not ask for is reported as Admission, and what only the server
// writes (generation, status) as Strategy.
func (s *simulation) changes(a answer) []report.Change {
	leaves := s.leaves(a)
	out := s.intent.reasons(leaves, a)
	s.locate(out, leaves)
	return concealed(out, a.Derived)
}

func (s *simulation) leaves(a answer) []Leaf {
	if a.stored == nil {
		return nil
	}
	return Difference(s.shape, s.live, a.stored)
}

// reasons are the changes of the leaves, one each, without their lines.
func (in intent) reasons(leaves []Leaf, a answer) []report.Change {
	out := make([]report.Change, len(leaves))
	for i, l := range leaves {
		out[i] = in.change(l, a)
	}
	return out
}

// concealed are changes without what policies made from values of Secrets. A name below
// such a field may be made from one as well: the field is all that is said.
func concealed(changes []report.Change, derived []string) []report.Change {
	if len(derived) == 0 {
		return changes
	}
	var out []report.Change
	for _, c := range changes {
		for _, field := range derived {
			below := managedfields.Within(c.Field, field)
			if below || managedfields.Within(field, c.Field) {
				c.Before, c.After = hidden(c.Before), hidden(c.After)
			}
			if below && c.Field != field {
				c = report.Change{Field: field, Kind: report.Modified, Before: "***", After: "***", Reason: report.ReasonAdmission}
			}
		}
		if !slices.ContainsFunc(out, func(known report.Change) bool { return known.Field == c.Field }) {
			out = append(out, c)
		}
	}
	return out
}

func hidden(v any) any {
	if v == nil {
		return nil
	}
	return "***"
}

// locate finds the lines of the manifest that change the leaves.
func (s *simulation) locate(changes []report.Change, leaves []Leaf) {
	for i, l := range leaves {
		if _, asks := s.intent.asksAt(l); !asks || bookkeeping[changes[i].Field] {
			continue
		}
		path := l.Path
		if given := s.intent.writeOnly(path); given != nil {
			path = given
		}
		changes[i].Source = s.write.line(&s.find, s.shape, path)
	}
}

// asksAt is what the write asks for at a leaf. A Scale asks for one value, wherever the
// kind keeps it.
func (in intent) asksAt(l Leaf) (asked any, asks bool) {
	asked, asks = in.asks(l.Path)
	return asked, asks && (!in.scale || l.gets(asked))
}

func (in intent) change(l Leaf, a answer) report.Change {
	c := report.Change{Field: l.Field, Kind: l.Kind, Before: l.Before, After: l.After}
	if bookkeeping[c.Field] {
		c.Reason = report.ReasonStrategy
		return c
	}
	asked, asks := in.asksAt(l)
	if asks && in.writeOnly(l.Path) != nil {
		c.Detail = report.ThroughStringData
	}
	if plugin := admitted(a.Admission, c.Field); plugin != "" && !(asks && l.gets(asked)) {
		c.Reason, c.Detail = report.ReasonAdmission, plugin
		return c
	}
	switch {
	case asks:
		c.Reason = in.reasonAsked(l, asked)
	case l.Kind == report.Removed:
		c.Reason = in.reasonRemoved(l.Path)
	default:
		c.Reason = in.reasonSet(l)
	}
	return c
}

// gets reports whether the leaf ends as it was asked for. What is asked for as
// null is to be gone; a list or map may come with defaults filled in.
func (l Leaf) gets(asked any) bool {
	if l.Kind == report.Removed {
		return asked == nil
	}
	return Stores(l.After, asked)
}

// reasonAsked is the reason for a change at a path that the body has. A list
// in a strategic merge patch says what to merge, not what to store.
func (in intent) reasonAsked(l Leaf, asked any) report.Reason {
	_, list := asked.([]any)
	if l.gets(asked) || list && in.verb == api.StrategicPatch {
		return report.ReasonApplied
	}
	if asked == nil && l.Kind == report.Modified && in.verb != api.Apply {
		return report.ReasonDefaulted
	}
	return report.ReasonNormalised
}

func (in intent) reasonRemoved(path fieldpath.Path) report.Reason {
	switch {
	case in.drops(path):
		return report.ReasonApplied
	case in.unowns(path):
		return report.ReasonUnowned
	case in.foreign && !serverWritten(path):
		return report.ReasonApplied
	default:
		return report.ReasonStrategy
	}
}

// reasonSet is the reason for a value that the write does not ask for.
func (in intent) reasonSet(l Leaf) report.Reason {
	switch {
	case serverWritten(l.Path):
		return report.ReasonStrategy
	case in.foreign:
		return report.ReasonApplied
	case in.verb == api.JSONPatch && in.touches(l.Path):
		return report.ReasonApplied
	case l.After == nil && in.unowns(l.Path):
		return report.ReasonUnowned
	case l.Kind == report.Added || in.unowns(l.Path) || in.drops(l.Path):
		return report.ReasonDefaulted
	default:
		return report.ReasonStrategy
	}
}

// bookkeeping are the fields that the server itself keeps, whatever a body says of them.
var bookkeeping = map[string]bool{
	".metadata.creationTimestamp":          true,
	".metadata.deletionGracePeriodSeconds": true,
	".metadata.deletionTimestamp":          true,
	".metadata.generation":                 true,
	".metadata.resourceVersion":            true,
	".metadata.selfLink":                   true,
	".metadata.uid":                        true,
}

// serverWritten reports whether the server writes such a value by itself: in status, or a
// generated name.
func serverWritten(path fieldpath.Path) bool {
	at := func(i int, name string) bool { return path[i].FieldName != nil && *path[i].FieldName == name }
	switch {
	case len(path) == 0:
		return false
	case at(0, "metadata"):
		return len(path) == 2 && (at(1, "name") || at(1, "namespace"))
	}
	return at(0, "status")
}

// admitted is the admission plug-in that set the field, a parent of it, or
// something in it; empty for none.
func admitted(all []api.AdmissionChange, field string) string {
	for _, c := range all {
		for _, f := range c.Fields {
			if !strings.HasPrefix(f, ".") {
				f = "." + f
			}
			if managedfields.Within(field, f) || managedfields.Within(f, field) {
				return c.Plugin
			}
		}
	}
	return ""
}
