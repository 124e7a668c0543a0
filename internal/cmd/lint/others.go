package lint

import (
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var replicasAutoscaled = finding.Rule{
	Name: "replicas-autoscaled", Severity: report.SeverityWarning,
	Title: "A manifest sets replicas that an autoscaler in the same inputs writes.",
	Why:   "As soon as the autoscaler changes the number, the next apply conflicts with it, or sets the number back where it forces. Where the field was applied before, 'ssactl transfer' plans the hand-over.",
	Fix:   risk.Rules().Of(risk.ReplicasAutoscaled).Fix,
}

var injectedField = finding.Rule{
	Name: "injected-field", Severity: report.SeverityWarning,
	Title: "A manifest sets a field that an injector writes.",
	Why:   "An annotation asks another component to write the field: the two overwrite each other, or conflict.",
	Fix:   risk.Rules().Of(risk.InjectedField).Fix,
}

var aggregatedRules = finding.Rule{
	Name: "aggregated-rules", Severity: report.SeverityWarning,
	Title: "A manifest sets the rules of an aggregated ClusterRole.",
	Why: "The controller of aggregated ClusterRoles writes .rules from the roles that aggregationRule selects, and applies with force: " +
		"the next apply of the manifest conflicts with it, whatever the value, or removes the rules for a moment where it forces.",
	Fix: "take .rules out of the manifest",
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
	writers.Scales:    {rule: replicasAutoscaled},
	writers.Generates: {rule: generatedByOthers},
	writers.Selects: {
		rolloutWrites,
		text.New("leave the selector to the controller: apply without it after the first time"),
	},
	writers.Weighs: {
		rolloutWrites,
		text.New("leave the weights to the controller: apply without them after the first time"),
	},
	writers.Resizes: {rule: resourcesAutoscaled},
	writers.Idles:   {rule: replicasAutoscaled},
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
		s.fixing(
			c.rule,
			s.line(path),
			text.New("%v writes %v", text.Name(claim.By), text.Path(path.String())),
			c.fix,
			path.String(),
		)
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
	path := map[writers.ClaimKind][]string{
		writers.Scales:    {"spec", "replicas"},
		writers.Idles:     {"spec", "replicas"},
		writers.Selects:   {"spec", "selector"},
		writers.Generates: {},
		writers.Weighs:    writers.WeightsOf(s.Target.Kind),
		writers.Resizes:   {"spec", "template", "spec", "containers"},
	}[kind]
	claimed := fieldtree.Value(s.Object, path...)
	if kind != writers.Resizes {
		return at(path...), len(path) == 0 || claimed != nil
	}
	// Of containers it is the first with resources.
	containers, _ := claimed.([]any)
	for i, c := range containers {
		m, _ := c.(map[string]any)
		if resources, _ := m["resources"].(map[string]any); len(resources) > 0 {
			return append(at(path...), fieldpath.PathElement{Index: &i}, fieldpath.FieldNameElement("resources")), true
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
				rule, says = rule.At(
					report.SeverityError,
				), says.And(
					", and ",
					text.New("each apply of the empty value removes what it wrote: calls to the webhook fail"),
				)
			}
			s.find(rule, s.line(leaf.Path), says, field)
			s.leave(leaf.Path, by.Manager)
		}
	}
}

// findAggregated finds the rules of a ClusterRole that has them from others. The fix is
// followed where the server can be asked.
func findAggregated(s *subject) {
	rules, has := s.Object["rules"]
	_, aggregated := s.Object["aggregationRule"].(map[string]any)
	if !aggregated || !has || s.Target.Kind != "ClusterRole" || !isRBAC(s.Target.APIVersion) {
		return
	}
	fix := text.Text{}
	if s.Again != nil {
		rule := map[string]any{"apiGroups": []any{""}, "resources": []any{"pods"}, "verbs": []any{"get"}}
		if s.Again(s.without(at("rules")), writers.Aggregator, map[string]any{"rules": []any{rule}}).Outcome.Refused() {
			fix = noFix
		}
	}
	says := text.New("%v writes %v, which the manifest sets to %v",
		text.Name("the aggregation of ClusterRoles"), text.Path(".rules"), text.ValueOf(".rules", rules))
	s.fixing(aggregatedRules, s.line(at("rules")), says, fix, ".rules")
	s.leave(at("rules"), writers.Aggregator)
}

func isRBAC(apiVersion string) bool {
	return strings.HasPrefix(apiVersion, "rbac.authorization.k8s.io/")
}

var managedFieldsSet = finding.Rule{
	Name: "managed-fields-set", Severity: report.SeverityError,
	Title: "The manifest has managedFields.",
	Why:   "The API server rejects every apply with metadata.managedFields. They come from a live object whose YAML was copied.",
	Fix:   "take it out of the manifest",
}

var serverField = finding.Rule{
	Name: "server-field", Severity: report.SeverityWarning,
	Title: "The manifest sets metadata that only the API server sets.",
	Why:   "The values are of one live object at one time. They are ignored at best; a uid or resourceVersion makes the API server reject the apply to any other object, and to this one after its next change.",
	Fix:   "take it out of the manifest",
}

var statusSet = finding.Rule{
	Name: "status-set", Severity: report.SeverityWarning,
	Title: "The manifest has a status.",
	Why:   "An apply to the object leaves the status as it is, and owns nothing of it: what the manifest says has no effect.",
	Fix:   "take it out of the manifest",
}

var lastAppliedInManifest = finding.Rule{
	Name: "last-applied-in-manifest", Severity: report.SeverityWarning,
	Title: "The manifest has the last-applied annotation.",
	Why:   "It is of a live object whose YAML was copied. Client-side kubectl apply compares with it, and removes what the other object had.",
	Fix:   "take it out of the manifest",
}

var stringData = finding.Rule{
	Name: "string-data", Severity: report.SeverityWarning,
	Title: "A Secret is written with stringData.",
	Why:   "The API server moves stringData into data, but the ownership stays behind: a key that is dropped from the manifest stays in the Secret, and others conflict with a field that they cannot see.",
	Fix:   "write the values into .data, in base64",
}

// ofServer are the fields of metadata that only a server sets.
var ofServer = []string{
	"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
	"deletionGracePeriodSeconds", "selfLink",
}

// findServerFields finds what is not for manifests to set.
func findServerFields(s *subject) {
	metadata, _ := fieldtree.Value(s.Object, "metadata").(map[string]any)
	if metadata["managedFields"] != nil {
		path := at("metadata", "managedFields")
		s.find(
			managedFieldsSet,
			s.line(path),
			text.New("%v has to be left out of what is applied", text.Path(path.String())),
			path.String(),
		)
	}
	for _, name := range ofServer {
		if v, has := metadata[name]; has && v != nil {
			path := at("metadata", name)
			s.find(serverField, s.line(path), text.New("%v is the API server's to set", text.Path(path.String())), path.String())
		}
	}
	if status, has := s.Object["status"]; has && s.Resets(".status") {
		extent := "set"
		if m, isMap := status.(map[string]any); isMap && len(m) == 0 {
			extent = "empty"
		} else if status == nil {
			extent = "null"
		}
		s.find(
			statusSet,
			s.line(at("status")),
			text.New("%v is %v, and an apply to the object ignores it", text.Path(".status"), text.Name(extent)),
			".status",
		)
	}
	if annotations, _ := metadata["annotations"].(map[string]any); annotations[client.LastApplied] != nil {
		path := at("metadata", "annotations", client.LastApplied)
		s.find(
			lastAppliedInManifest,
			s.line(path),
			text.New("the annotation of a client-side apply is in the manifest"),
			path.String(),
		)
	}
	if s.secret() && s.Object["stringData"] != nil {
		s.find(stringData, s.line(at("stringData")), text.New("the Secret has %v", text.Path(".stringData")), ".stringData")
	}
}
