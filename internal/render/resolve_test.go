package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/resolve"
	"github.com/ssactl/ssactl/internal/render/view"
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
		return Resolve(resolve.Document{Objects: objects, Files: []resolve.FileChange{diff}, Notices: []string{"--stop-managing x: the field does not conflict"}})
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

// Force takes every conflict of the files that its command names, which is said where
// another one of them is left, and not for those of other files.
func TestReviewForcesAFile(t *testing.T) {
	step := func(field string) resolve.Step { return resolve.Step{Field: field, Outcome: resolve.NotAsked} }
	object := func(steps ...resolve.Step) resolve.Resolution {
		return resolve.Resolution{Target: webTarget(), Manager: "helm", Before: report.Conflicted, After: report.Conflicted, Steps: steps}
	}
	in := func(file string) explain.Explanation {
		return explain.Explanation{Target: webTarget(), Manager: "helm", Source: report.Source{File: file, Line: 1}}
	}
	forced := []view.Question{{Object: 0, Target: webTarget(), Field: ".spec.a"}}
	for _, c := range []struct {
		name    string
		objects []resolve.Resolution
		files   []string
		wanted  int
	}{
		{"alone", []resolve.Resolution{object(step(".spec.a"))}, []string{"a.yaml"}, 0},
		{"another field", []resolve.Resolution{object(step(".spec.a"), step(".spec.b"))}, []string{"a.yaml"}, 1},
		{"another object of the file", []resolve.Resolution{object(step(".spec.a")), object(step(".spec.b"))}, []string{"a.yaml", "a.yaml"}, 1},
		{"another file", []resolve.Resolution{object(step(".spec.a")), object(step(".spec.b"))}, []string{"a.yaml", "b.yaml"}, 0},
	} {
		var applies explain.Document
		for _, file := range c.files {
			applies.Objects = append(applies.Objects, in(file))
		}
		var out bytes.Buffer
		if err := Blocks(&out, Review(resolve.Document{Objects: c.objects}, applies, forced, Options{}), Options{}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "--force-conflicts takes ownership of every conflicting field"); n != c.wanted {
			t.Errorf("%s: the warning is there %d times, want %d:\n%s", c.name, n, c.wanted, out.String())
		}
	}
}
