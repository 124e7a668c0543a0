package lint

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/plan/writers"
	"github.com/ssactl/ssactl/internal/text"
)

// claimed are the rules by what another controller writes, and what to do.
var claimed = map[writers.ClaimKind]struct {
	rule string
	fix  text.Text
}{
	writers.Scales:    {ReplicasAutoscaled, text.New("take .spec.replicas out of the manifest; where it was applied before, ssactl transfer plans the hand-over")},
	writers.Generates: {OthersObject, text.New("take the object out of the manifests, or let the other one write another name")},
	writers.Selects:   {RolloutWrites, text.New("leave the selector to the controller: apply without it after the first time")},
	writers.Weighs:    {RolloutWrites, text.New("leave the weights to the controller: apply without them after the first time")},
	writers.Resizes:   {ResourcesScaled, text.New("set the updateMode Off for recommendations only, or keep requests low and let the autoscaler raise them")},
}

// written finds what somebody else in the inputs writes.
func (s *subject) written() {
	for _, claim := range s.claims.Of(s.Target) {
		c := claimed[claim.Kind]
		path, ok := s.claimedPath(claim.Kind)
		if !ok {
			continue
		}
		if len(path) == 0 {
			s.find(c.rule, nil, text.New("%v generates the object", text.Name(claim.By)), c.fix)
			continue
		}
		s.find(c.rule, s.line(path), text.New("%v writes %v", text.Name(claim.By), text.Path(path.String())), c.fix, path.String())
		s.leave(path, claim.Manager())
	}
	s.injected()
}

// leave adds to the finding that was found last how the client leaves a field to a
// manager; empty for one that does not write to the object.
func (s *subject) leave(path fieldpath.Path, to string) {
	if s.Leave != nil && to != "" {
		s.out[len(s.out)-1].InClient = s.Leave(path, to)
	}
}

// claimedPath is the field of the manifest that a claim is on; empty for all of it, and
// false where the manifest leaves it out.
func (s *subject) claimedPath(kind writers.ClaimKind) (fieldpath.Path, bool) {
	paths := map[writers.ClaimKind][]string{
		writers.Scales: {"spec", "replicas"}, writers.Selects: {"spec", "selector"}, writers.Weighs: {"spec", "http"}, writers.Generates: {},
	}
	if kind == writers.Resizes {
		return s.resources()
	}
	path := paths[kind]
	return at(path...), len(path) == 0 || fieldtree.Value(s.Object, path...) != nil
}

// resources is the first container of a pod template with resources.
func (s *subject) resources() (fieldpath.Path, bool) {
	containers, _ := fieldtree.Value(s.Object, "spec", "template", "spec", "containers").([]any)
	for i, c := range containers {
		m, _ := c.(map[string]any)
		if resources, _ := m["resources"].(map[string]any); len(resources) > 0 {
			return append(at("spec", "template", "spec", "containers"), fieldpath.PathElement{Index: &i}, fieldpath.FieldNameElement("resources")), true
		}
	}
	return nil, false
}

// injected are the CA bundles of an object that asks an injector for them.
func (s *subject) injected() {
	by := writers.InjectorOf(s.Object)
	if by.Name == "" {
		return
	}
	for _, leaf := range s.Shape.Leaves(s.Object) {
		if field := leaf.Path.String(); writers.IsInjected(field) {
			s.find(InjectedField, s.line(leaf.Path), text.New("an annotation has %v write %v", text.Name(by.Name), text.Path(field)), takeOut, field)
			s.leave(leaf.Path, by.Manager)
		}
	}
}
