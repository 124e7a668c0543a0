package rules

import (
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
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
	c := conflict.ManagerKindOf(report.Writer{Manager: e.Manager, Operation: e.Operation}, "")
	switch {
	case c.Kind == conflict.Person && strings.HasPrefix(e.Manager, "kubectl-create"):
		return byTool
	case c.Kind == conflict.Person:
		return byHand
	case c.Certain && (c.Kind == conflict.ClientSide || c.Kind == conflict.Deployer || c.Kind == conflict.GitOps):
		return byTool
	case e.Set.Has(lastAppliedPath):
		return byTool
	}
	return kept
}

// inService reports whether a controller is known not to go away.
func inService(e managedfields.Entry) bool {
	c := conflict.ManagerKindOf(report.Writer{Manager: e.Manager, Operation: e.Operation, Subresource: e.Subresource}, "")
	return c.Certain && (c.Kind == conflict.Controller || c.Kind == conflict.Autoscaler)
}

// bookkeeping reports whether an Apply entry is of kubectl's own bookkeeping, and
// no manifest's.
func bookkeeping(e managedfields.Entry) bool { return e.Manager == "kubectl-last-applied" }

// applies are the Apply entries of manifests for the main resource.
func (s *view) applies() []managedfields.Entry {
	var out []managedfields.Entry
	for _, e := range s.entries {
		if e.Operation == managedfields.Apply && e.Subresource == "" && !bookkeeping(e) {
			out = append(out, e)
		}
	}
	return out
}
