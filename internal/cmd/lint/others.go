package lint

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var replicasAutoscaled = finding.Rule{
	Name: "replicas-autoscaled", Severity: report.SeverityWarning,
	Title: "A manifest sets replicas that an autoscaler in the same inputs writes.",
	Why:   "As soon as the autoscaler changes the number, the next apply conflicts with it, or sets the number back where it forces.",
}

var injectedField = finding.Rule{
	Name: "injected-field", Severity: report.SeverityWarning,
	Title: "A manifest sets a field that an injector writes.",
	Why:   "An annotation asks another component to write the field: the two overwrite each other, or conflict.",
	Fix:   "take it out of the manifest",
}

var generatedByOthers = finding.Rule{
	Name: "generated-by-others", Severity: report.SeverityWarning,
	Title: "A manifest has an object that another one in the inputs generates.",
	Why:   "The generator owns the fields of the object: the two overwrite each other's keys, or conflict.",
	Fix:   "take the object out of the manifests, or let the other one write another name",
}

var rolloutWrites = finding.Rule{
	Name: "rollout-writes", Severity: report.SeverityWarning,
	Title: "A manifest sets a field that Argo Rollouts writes during a rollout.",
	Why:   "The controller writes the hash of a ReplicaSet into the selectors of Services, and weights into routes. A selector is one field: the next apply conflicts over all of it, or ends the rollout early where it forces.",
}

var resourcesAutoscaled = finding.Rule{
	Name: "resources-autoscaled", Severity: report.SeverityNote,
	Title: "A manifest sets resources that a VerticalPodAutoscaler changes in the pods.",
	Why:   "The autoscaler changes the pods and not the object: what runs is not what the manifest says, without any conflict.",
	Fix:   "set the updateMode Off for recommendations only, or keep requests low and let the autoscaler raise them",
}

// claimed are the rules by what another controller writes, with what to do where the rule
// does not say it.
var claimed = map[writers.ClaimKind]struct {
	rule finding.Rule
	fix  text.Text
}{
	writers.Scales: {replicasAutoscaled, text.New("take .spec.replicas out of the manifest; where it was applied before, %v plans the hand-over",
		text.Name(program.In("ssactl transfer")))},
	writers.Generates: {rule: generatedByOthers},
	writers.Selects:   {rolloutWrites, text.New("leave the selector to the controller: apply without it after the first time")},
	writers.Weighs:    {rolloutWrites, text.New("leave the weights to the controller: apply without them after the first time")},
	writers.Resizes:   {rule: resourcesAutoscaled},
}

// findWritten finds what another object in the inputs writes.
func findWritten(s *subject) {
	for _, claim := range s.claims.Of(s.Target) {
		c := claimed[claim.Kind]
		path, ok := claimedPath(s, claim.Kind)
		if !ok {
			continue
		}
		if len(path) == 0 {
			s.fixing(c.rule, nil, text.New("%v generates the object", text.Name(claim.By)), c.fix)
			continue
		}
		s.fixing(c.rule, s.line(path), text.New("%v writes %v", text.Name(claim.By), text.Path(path.String())), c.fix, path.String())
		s.leave(path, claim.Manager())
	}
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
func claimedPath(s *subject, kind writers.ClaimKind) (fieldpath.Path, bool) {
	paths := map[writers.ClaimKind][]string{
		writers.Scales: {"spec", "replicas"}, writers.Selects: {"spec", "selector"}, writers.Weighs: {"spec", "http"}, writers.Generates: {},
	}
	if kind == writers.Resizes {
		return resourcesOf(s)
	}
	path := paths[kind]
	return at(path...), len(path) == 0 || fieldtree.Value(s.Object, path...) != nil
}

// resourcesOf is the first container of a pod template with resources.
func resourcesOf(s *subject) (fieldpath.Path, bool) {
	containers, _ := fieldtree.Value(s.Object, "spec", "template", "spec", "containers").([]any)
	for i, c := range containers {
		m, _ := c.(map[string]any)
		if resources, _ := m["resources"].(map[string]any); len(resources) > 0 {
			return append(at("spec", "template", "spec", "containers"), fieldpath.PathElement{Index: &i}, fieldpath.FieldNameElement("resources")), true
		}
	}
	return nil, false
}

// findInjected are the CA bundles of an object that asks an injector for them.
func findInjected(s *subject) {
	by := writers.InjectorOf(s.Object)
	if by.Name == "" {
		return
	}
	for _, leaf := range s.Shape.Leaves(s.Object) {
		if field := leaf.Path.String(); writers.IsInjected(field) {
			rule, says := injectedField, text.New("an annotation has %v write %v", text.Name(by.Name), text.Path(field))
			if leaf.Value == "" {
				rule, says = rule.At(report.SeverityError), says.And(", and ", text.New("each apply of the empty value removes what it wrote: calls to the webhook fail"))
			}
			s.find(rule, s.line(leaf.Path), says, field)
			s.leave(leaf.Path, by.Manager)
		}
	}
}
