package audit

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/plan/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// workload names an object that can be scaled.
type workload struct{ group, kind, namespace, name string }

var replicasPath = fieldpath.MakePathOrDie("spec", "replicas")

// scales is the workload that an autoscaler scales, and is false for anything
// else.
func (s *subject) scales() (workload, bool) {
	ref, ok := writers.Scaled(s.kind().GroupKind(), s.Live)
	return workload{ref.Group, ref.Kind, s.Target.Namespace, ref.Name}, ok
}

// scalable is this object for the autoscalers to find.
func (s *subject) scalable() workload {
	kind := s.kind()
	return workload{kind.Group, kind.Kind, s.Target.Namespace, s.Target.Name}
}

// replicas are the findings on those who apply the object's replicas. They
// count if an autoscaler scales it, which then completes their facts.
func (s *subject) replicas() []Finding {
	var out []Finding
	for _, e := range s.applies() {
		if !e.Set.Has(replicasPath) {
			continue
		}
		f := s.finding(ReplicasAutoscaled, report.Fact{Kind: AppliesReplicas, Manager: e.Manager},
			Fix{Kind: HandOver, Line: s.about(transferIt, shell.Value("--from", e.Manager), shell.Switch("--to-controller")).On(".spec.replicas")}).About(replicasPath.String())
		f.Manager, f.InClient = e.Manager, s.server.Leave(s.Object, e, replicasPath)
		out = append(out, f)
	}
	return out
}

// autoscaled are the findings on workloads that some autoscaler scales.
func autoscaled(surveys []Survey) []Finding {
	by := map[workload]string{}
	for _, v := range surveys {
		if v.scaler != "" {
			by[v.scales] = v.scaler
		}
	}
	var out []Finding
	for _, v := range surveys {
		scaler, ok := by[v.workload]
		if !ok {
			continue
		}
		for _, f := range v.replicas {
			f.Fact.Others = []string{scaler}
			out = append(out, f)
		}
	}
	return out
}
