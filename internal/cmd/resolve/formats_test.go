package resolve

import (
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/cmd/resolve/interactive"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/formats"
	"github.com/ssactl/ssactl/test/golden"
)

// aResolution is one of everything that resolve tells.
func aResolution() Resolution {
	scaler := report.Writer{
		Manager:     "kube-controller-manager",
		Operation:   "Update",
		Subresource: "scale",
		APIVersion:  "apps/v1",
	}
	at := func(line int) *report.Source { return &report.Source{File: "web.yaml", Document: 1, Line: line} }
	step := func(field string, line int, action Action, outcome StepOutcome) Step {
		return Step{Field: field, Source: at(line), Owners: []report.Writer{scaler}, Action: action, Outcome: outcome}
	}
	removed, shared := step(
		`.spec.ports[name="web"].port`, 9, StopManaging, Done,
	), step(
		".spec.replicas", 7, UseLiveValue, Done,
	)
	removed.Removed, removed.At = `.spec.ports[name="web"]`, ".spec.port"
	shared.Written = int64(5)
	shared.Consequences = []Consequence{
		{
			Manager: "hpa",
			Kind:    Overwrites,
		}, {Manager: "helm", Kind: Agrees}, {Manager: "argocd", Kind: Conflicts, Spelling: "1000m"},
	}
	refused := step(".spec.paused", 8, StopManaging, Refused)
	refused.Reason, refused.Line = "an anchor stands there", 8
	return Resolution{
		Target: golden.Web(), Source: report.Source{File: "web.yaml", Document: 1, Line: 1}, Manager: "helm",
		Before: report.Conflicted, After: report.Conflicted, Message: "Apply failed with 2 conflicts",
		Steps: []Step{refused, removed, shared, step(".spec.selector", 4, Leave, NotAsked), step(".spec.x", 3, Leave, Done)},
	}
}

func TestResolveGolden(t *testing.T) {
	diff := FileChange{
		File: "web.yaml",
		Diff: "--- web.yaml\n+++ web.yaml\n@@ -1,3 +1,2 @@\n kind: Deployment\n-  replicas: 3 # mine\n+  replicas: 5 # mine\n \n",
	}
	hostile := aResolution()
	hostile.Target.Name, hostile.Steps[0].Reason, hostile.Steps[0].Field, hostile.Steps[2].Written = golden.Acting, golden.Acting, golden.Acting, golden.Acting
	done := aResolution()
	done.After, done.Steps = report.Configured, done.Steps[1:3]
	invalid := Resolution{Target: golden.Web(), Before: report.Invalid, After: report.Invalid, Message: golden.Acting}
	all := []Resolution{
		aResolution(),
		done,
		invalid,
		{Target: golden.Web(), Before: report.Failed, After: report.Failed, Message: "no name"},
		hostile,
	}
	formats.CheckAnswers(t, func(objects []Resolution) show.Answer {
		return formatsOf(
			Document{
				Objects: objects,
				Files:   []FileChange{diff},
				Notices: []string{"--stop-managing x: the field does not conflict"},
			},
		)
	}, []formats.AnswerCase[Resolution]{
		{"resolve", "text", show.Options{}, all},
		{"resolve_quiet", "text", show.Options{Quiet: true}, all},
		{"resolve", "diff", show.Options{}, all},
		{"resolve", "markdown", show.Options{}, all},
		{"resolve", "html", show.Options{}, all},
		{"resolve", "github", show.Options{}, all},
		{"resolve", "junit", show.Options{}, all},
	})
}

// Force takes every conflict of the files that its command names, which is said where
// another one of them is left, and not for those of other files.
func TestReviewForcesAFile(t *testing.T) {
	step := func(field string) Step { return Step{Field: field, Outcome: NotAsked} }
	object := func(steps ...Step) Resolution {
		return Resolution{
			Target:  golden.Web(),
			Manager: "helm",
			Before:  report.Conflicted,
			After:   report.Conflicted,
			Steps:   steps,
		}
	}
	in := func(file string) conflict.Explanation {
		return conflict.Explanation{Target: golden.Web(), Manager: "helm", Source: report.Source{File: file, Line: 1}}
	}
	forced := []interactive.Question{{Object: 0, Target: golden.Web(), Field: ".spec.a"}}
	for _, c := range []struct {
		name    string
		objects []Resolution
		files   []string
		wanted  int
	}{
		{"alone", []Resolution{object(step(".spec.a"))}, []string{"a.yaml"}, 0},
		{"another field", []Resolution{object(step(".spec.a"), step(".spec.b"))}, []string{"a.yaml"}, 1},
		{"another object of the file", []Resolution{object(step(".spec.a")), object(step(".spec.b"))}, []string{"a.yaml", "a.yaml"}, 1},
		{"another file", []Resolution{object(step(".spec.a")), object(step(".spec.b"))}, []string{"a.yaml", "b.yaml"}, 0},
	} {
		var applies conflict.Document
		for _, file := range c.files {
			applies.Objects = append(applies.Objects, in(file))
		}
		out := text.Blocks(review(Document{Objects: c.objects}, applies, forced, page.Options{}), text.Options{})
		if n := strings.Count(out, "--force-conflicts takes ownership of every conflicting field"); n != c.wanted {
			t.Errorf("%s: the warning is there %d times, want %d:\n%s", c.name, n, c.wanted, out)
		}
	}
}
