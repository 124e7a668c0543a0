package rules

import (
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// care says who keeps an Update entry up.
type care int

const (
	// kept: a controller, or an unknown writer.
	kept care = iota
	// byTool: a tool that applies client-side, and took its changes back by
	// itself as long as it was used so.
	byTool
	// byHand: a person, once.
	byHand
	// byNobody: a name that the server made up.
	byNobody
)

// careOf reports who keeps an entry up. Names prove little: what is not known to
// be a tool or a person is left alone, unless it owns the annotation that only
// client-side apply writes.
func careOf(e managedfields.Entry) care {
	if e.Operation != managedfields.Update || e.Subresource != "" {
		return kept
	}
	if e.Manager == managedfields.BeforeFirstApply || e.Manager == ancient {
		return byNobody
	}
	c := writers.ManagerKindOf(report.Writer{Manager: e.Manager, Operation: e.Operation}, "")
	switch {
	case c.Kind == writers.Person && strings.HasPrefix(e.Manager, "kubectl-create"):
		return byTool
	case c.Kind == writers.Person:
		return byHand
	case c.Certain && (c.Kind == writers.ClientSide || c.Kind == writers.Deployer || c.Kind == writers.GitOps):
		return byTool
	case e.Set.Has(lastAppliedPath):
		return byTool
	}
	return kept
}

// inService reports whether a controller is known not to go away.
func inService(e managedfields.Entry) bool {
	c := writers.ManagerKindOf(report.Writer{Manager: e.Manager, Operation: e.Operation, Subresource: e.Subresource}, "")
	return c.Certain && (c.Kind == writers.Controller || c.Kind == writers.Autoscaler)
}

// applies are the Apply entries of manifests for the main resource: kubectl-last-applied is
// kubectl's own bookkeeping.
func (s *view) applies() []managedfields.Entry {
	var out []managedfields.Entry
	for _, e := range s.entries {
		if e.Operation == managedfields.Apply && e.Subresource == "" && e.Manager != "kubectl-last-applied" {
			out = append(out, e)
		}
	}
	return out
}

var changedByHand = finding.Rule{
	Name: "changed-by-hand", Severity: report.SeverityNote,
	Title: "A person changed fields of what a tool manages.",
	Why:   "An apply with another value conflicts with a person who does not write again, or, with force, undoes the change. Fields that are in no manifest stay.",
}

// findChangedByHand finds fields that only a person owns, in objects that a tool
// manages. What other rules tell of a field is not told again.
func findChangedByHand(s *examined) {
	tool := tool(s)
	if tool == "" {
		return
	}
	for _, e := range s.entries {
		if !aPerson(e) {
			continue
		}
		alone := fieldpath.NewSet()
		e.Set.Leaves().Iterate(func(p fieldpath.Path) {
			if ownedAlone(s, e, p) && !managedfields.Covers(s.leftOvers, p) && !writers.IsBookkeeping(p) {
				alone.Insert(p.Copy())
			}
		})
		fields := s.fields(alone)
		s.told[e.Role] = s.told[e.Role] || len(fields) > 0
		if fields = slices.DeleteFunc(fields, s.isSaid); len(fields) == 0 {
			continue
		}
		s.find(
			changedByHand,
			e.Manager,
			fields,
			text.New("%v alone owns %v of what %v manages", nameOf(e.Role), some(fields), text.By(tool)),
			s.fixWhy(fields[0]),
			s.fixClear(e),
		)
	}
}

// tool is who manages the object by manifests: the first that applies it, else
// the first client-side tool; empty for nobody.
func tool(s *examined) string {
	if applies := s.applies(); len(applies) > 0 {
		return applies[0].Manager
	}
	for i, e := range s.entries {
		if s.cares[i] == byTool && e.Manager != "kubectl-create" {
			return e.Manager
		}
	}
	return ""
}

// aPerson reports whether an entry is of a person: by the name of a client that
// nobody scripts into a loop. kubectl create is how tools begin, too.
func aPerson(e managedfields.Entry) bool {
	if e.Operation != managedfields.Update || e.Subresource != "" && e.Subresource != "scale" {
		return false
	}
	c := writers.ManagerKindOf(report.Writer{Manager: e.Manager, Operation: e.Operation, Subresource: e.Subresource}, "")
	return c.Kind == writers.Person && c.Certain && careOf(e) != byTool
}

// ownedAlone reports whether a path is a field of the object that no other entry owns.
func ownedAlone(s *examined, e managedfields.Entry, path fieldpath.Path) bool {
	if s.granular(path) {
		return false
	}
	others := slices.ContainsFunc(
		s.entries,
		func(o managedfields.Entry) bool { return o.Index != e.Index && managedfields.Covers(o.Set, path) },
	)
	return !others && (s.Deduced || s.Shape.Has(s.Live, path))
}
