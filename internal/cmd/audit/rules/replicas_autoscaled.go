package rules

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

var replicasAutoscaled = finding.Rule{
	Name: "replicas-autoscaled", Severity: report.SeverityWarning,
	Title: "An autoscaler scales what a manifest gives replicas to.",
	Why:   "As soon as the autoscaler changes the number, the next apply of the manifest conflicts with it, or sets the number back where it forces; and dropping replicas from the manifest without a hand-over makes the server set 1.",
}

// workload names an object that can be scaled.
type workload struct{ group, kind, namespace, name string }

var replicasPath = fieldpath.MakePathOrDie("spec", "replicas")

// scales is the workload that an autoscaler scales, and is false for anything
// else.
func (s *examined) scales() (workload, bool) {
	ref, ok := writers.Scaled(s.kind().GroupKind(), s.Live)
	return workload{ref.Group, ref.Kind, s.Target.Namespace, ref.Name}, ok
}

// scalable is this object for the autoscalers to find.
func (s *examined) scalable() workload {
	kind := s.kind()
	return workload{kind.Group, kind.Kind, s.Target.Namespace, s.Target.Name}
}

// replicas are the findings on those who apply the object's replicas. They
// count if an autoscaler scales it, which then completes what they say.
func (s *examined) replicas() []finding.Finding {
	var out []finding.Finding
	for _, e := range s.applies() {
		if !e.Set.Has(replicasPath) {
			continue
		}
		field := replicasPath.String()
		f := s.finding(replicasAutoscaled, e.Manager, []string{field}, text.New("%v applies %v", text.By(e.Manager), text.Path(field)),
			fix(s.about(transferIt, shell.Value("--from", e.Manager), shell.Switch("--to-controller")).On(field),
				text.New("plans the hand-over to the autoscaler, step by step, without a moment at which the server sets 1")))
		f.InClient = s.server.Leave(s.Object, e, replicasPath)
		out = append(out, f)
	}
	return out
}

// autoscaled are the findings on workloads that some autoscaler scales.
func autoscaled(surveys []Survey) []finding.Finding {
	by := map[workload]string{}
	for _, v := range surveys {
		if v.scaler != "" {
			by[v.scales] = v.scaler
		}
	}
	var out []finding.Finding
	for _, v := range surveys {
		scaler, ok := by[v.workload]
		if !ok {
			continue
		}
		for _, f := range v.replicas {
			f.Message = f.Message.And(", ", text.New("which the %v sets", text.Name(scaler)))
			out = append(out, f)
		}
	}
	return out
}
