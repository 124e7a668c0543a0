package render

import (
	"testing"

	"github.com/ssactl/ssactl/internal/plan/resolve"
	"github.com/ssactl/ssactl/internal/report"
)

// resolved is one of everything that resolve tells.
func resolved() resolve.Resolution {
	scaler := report.Writer{Manager: "kube-controller-manager", Operation: "Update", Subresource: "scale", APIVersion: "apps/v1"}
	at := func(line int) *report.Source { return &report.Source{File: "web.yaml", Document: 1, Line: line} }
	step := func(field string, line int, action resolve.Action, outcome resolve.StepOutcome) resolve.Step {
		return resolve.Step{Field: field, Source: at(line), Owners: []report.Writer{scaler}, Action: action, Outcome: outcome}
	}
	removed, shared := step(`.spec.ports[name="web"].port`, 9, resolve.StopManaging, resolve.Done), step(".spec.replicas", 7, resolve.UseLiveValue, resolve.Done)
	removed.Removed, removed.At = `.spec.ports[name="web"]`, ".spec.port"
	shared.Written = int64(5)
	shared.Consequences = []resolve.Consequence{
		{Manager: "hpa", Kind: resolve.Overwrites}, {Manager: "helm", Kind: resolve.Agrees}, {Manager: "argocd", Kind: resolve.Conflicts, Spelling: "1000m"},
	}
	refused := step(".spec.paused", 8, resolve.StopManaging, resolve.Refused)
	refused.Reason, refused.Line = "an anchor stands there", 8
	return resolve.Resolution{
		Target: webTarget(), Source: report.Source{File: "web.yaml", Document: 1, Line: 1}, Manager: "helm",
		Before: report.Conflicted, After: report.Conflicted, Message: "Apply failed with 2 conflicts",
		Steps: []resolve.Step{refused, removed, shared, step(".spec.selector", 4, resolve.Leave, resolve.NotAsked), step(".spec.x", 3, resolve.Leave, resolve.Done)},
	}
}

func TestResolveGolden(t *testing.T) {
	diff := resolve.FileChange{File: "web.yaml", Diff: "--- web.yaml\n+++ web.yaml\n@@ -1,3 +1,2 @@\n kind: Deployment\n-  replicas: 3 # mine\n+  replicas: 5 # mine\n \n"}
	hostile := resolved()
	hostile.Target.Name, hostile.Steps[0].Reason, hostile.Steps[0].Field, hostile.Steps[2].Written = acting, acting, acting, acting
	done := resolved()
	done.After, done.Steps = report.Configured, done.Steps[1:3]
	invalid := resolve.Resolution{Target: webTarget(), Before: report.Invalid, After: report.Invalid, Message: acting}
	all := []resolve.Resolution{resolved(), done, invalid, {Target: webTarget(), Before: report.Failed, After: report.Failed, Message: "no name"}, hostile}
	checkAnswers(t, func(objects []resolve.Resolution) Answer {
		return Resolve(resolve.Document{Objects: objects, Files: []resolve.FileChange{diff}, Notices: []string{"--stop-managing x: no such field"}})
	}, []answerCase[resolve.Resolution]{
		{"resolve", "text", Options{}, all},
		{"resolve_quiet", "text", Options{Quiet: true}, all},
		{"resolve", "diff", Options{}, all},
		{"resolve", "markdown", Options{}, all},
		{"resolve", "html", Options{}, all},
		{"resolve", "github", Options{}, all},
		{"resolve", "junit", Options{}, all},
	})
}
