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
		f := s.finding(replicasAutoscaled, e.Manager, []string{writers.Replicas}, text.New("%v applies %v, which the %v sets", text.By(e.Manager), text.Path(writers.Replicas), text.Name(scaler)),
			fix(s.about(transferIt, shell.Value("--from", e.Manager), shell.Switch("--to-controller")).On(writers.Replicas),
				text.New("plans the hand-over to the autoscaler, step by step, without a moment at which the server sets 1")))
		f.InClient = s.server.Leave(s.Object, e, replicasPath)
		s.add(f)
	}
}
