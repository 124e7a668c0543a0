package rules

import (
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

var forbiddenOwner = finding.Rule{
	Name: report.RuleForbiddenOwner, Severity: report.SeverityError,
	Title: "A field manager owns what the policy does not let it own.",
	Why:   "The policy that is given with --policy leaves these fields to other managers, or to none: with its next write the manager changes fields that it may not own.",
}

// findForbidden finds who owns what the policy leaves to others.
func findForbidden(s *examined) {
	o := policy.Object{Kind: s.kind().GroupKind(), Namespace: s.Target.Namespace, Live: s.Live, Shape: s.Shape}
	for _, v := range s.Policy.Owned(o, s.owners) {
		fields := s.fields(fieldpath.NewSet(v.Paths...))
		f := s.finding(
			forbiddenOwner,
			v.Role.Manager,
			fields,
			text.New("%v owns %v: %v", nameOf(v.Role), some(fields), v.Rule.Says()),
			fixForbidden(s, v, fields)...)
		place := v.Rule.Source
		f.Severity, f.Policy = v.Rule.Severity, &place
		s.add(f)
		s.tell(f)
	}
}

// fixForbidden hands a field to the one who may own it, where that is one; else it
// shows who owns the field.
func fixForbidden(s *examined, v policy.Violation, fields []string) []report.Fix {
	out := []report.Fix{s.fixWhy(fields[0])}
	if to := v.Rule.Owners; len(to) == 1 && !strings.Contains(to[0].Manager, "*") && to[0].Subresource == nil &&
		to[0].Manager != v.Role.Manager {
		line := s.about(transferIt, shell.Value("--from", v.Role.Manager), shell.Value("--to", to[0].Manager)).On(fields[0])
		out = append(
			[]report.Fix{fix(line, text.New("plans the hand-over of the field to %v, step by step", text.By(to[0].Manager)))},
			out...)
	}
	i := slices.IndexFunc(s.entries, func(e managedfields.Entry) bool { return e.Role == v.Role })
	if i >= 0 && s.cares[i] != kept {
		out = append(out, s.fixClear(s.entries[i]))
	}
	return out
}

var replicasAutoscaled = finding.Rule{
	Name: "replicas-autoscaled", Severity: report.SeverityWarning,
	Title: "An autoscaler scales what a manifest gives replicas to.",
	Why:   "As soon as the autoscaler changes the number, the next apply of the manifest conflicts with it, or sets the number back where it forces; and dropping replicas from the manifest without a hand-over makes the server set 1.",
}

var replicasPath = fieldpath.MakePathOrDie("spec", "replicas")

// findAutoscaled finds those who apply the replicas of an object that an autoscaler scales.
func findAutoscaled(s *examined) {
	scaler := s.server.Scaler(s.Target)
	if scaler == "" || s.said[writers.Replicas] {
		return
	}
	for _, e := range s.applies() {
		if !e.Set.Has(replicasPath) {
			continue
		}
		f := s.finding(
			replicasAutoscaled,
			e.Manager,
			[]string{writers.Replicas},
			text.New("%v applies %v, which the %v sets", text.By(e.Manager), text.Path(writers.Replicas), text.Name(scaler)),
			fix(s.about(transferIt, shell.Value("--from", e.Manager), shell.Switch("--to-controller")).On(writers.Replicas),
				text.New("plans the hand-over to the autoscaler, step by step, without a moment at which the server sets 1")),
		)
		f.InClient = s.server.Leave(s.Object, e, replicasPath)
		s.add(f)
	}
}
