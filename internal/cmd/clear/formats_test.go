package clear

import (
	"slices"
	"testing"
	"time"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
	"github.com/ssactl/ssactl/test/formats"
	"github.com/ssactl/ssactl/test/golden"
)

// aClearing is one of everything that clear tells.
func aClearing() Clearing {
	old := golden.Now.Add(-400 * 24 * time.Hour)
	dashboard, gitops := golden.WriterAt("node-fetch", "Update", &old), golden.WriterAt("argocd-controller", "Apply", &old)
	web := report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	live := report.Source{File: "live.yaml", Document: 1, Line: 1}
	return Clearing{
		Target:  web,
		Source:  live,
		Attempt: report.Attempt{Outcome: report.Configured, Code: 200}, Entries: 4,
		Cleared: []Entry{{Writer: dashboard, Index: 1, Fields: 2, Who: "a person with a dashboard or desktop client"}},
		Pruned:  []Entry{{Writer: golden.WriterAt("helm", "Update", nil), Index: 2, Fields: 1, Who: "Helm"}},
		Spared:  []Entry{{Writer: gitops, Index: 0, Fields: 6, Who: "Argo CD", Why: text.New("its age proves nothing")}},
		Patch: []Operation{
			{Op: "test", Path: "/metadata/resourceVersion", Value: "7"},
			{Op: "remove", Path: "/metadata/managedFields/1"},
		},
		Command:   golden.Object.Patch(kubectl.Patch{Type: kubectl.JSONPatch, Body: []byte("[]")}),
		Object:    golden.Object,
		Ownerless: []string{".spec.paused"},
		Remaining: []report.FieldOwners{{Field: ".spec.replicas", Managers: []report.Writer{gitops}}},
		Next: []Next{
			{
				Writer: gitops, Attempt: report.Attempt{Outcome: report.Unchanged, Code: 200},
				Probes: []Probe{
					{Kind: DropNext, Field: ".spec.replicas", Before: Kept, After: Changed},
					{Kind: DropLater, Field: ".spec.replicas", Before: Kept, After: Changed},
					{Kind: ChangeLater, Field: ".spec.replicas", Before: Conflicted, After: Changed},
				},
			},
			{
				Writer:  golden.WriterAt("web-team", "Apply", &old),
				Cleared: true,
				Attempt: report.Attempt{Outcome: report.Conflicted, Code: 409},
				With:    []string{"x", "y"},
			},
			{Writer: golden.WriterAt("odd", "Apply", nil), Unknown: "the live object cannot be read at v9"},
		},
		With: &With{
			Source: report.Source{File: "web.yaml"}, Manager: "argocd-controller",
			Before: Answer{
				Answer:    report.Answer{Outcome: report.Conflicted, Code: 409},
				Conflicts: []Conflict{{Field: ".spec.paused", Manager: "node-fetch"}},
			},
			After: Answer{
				Answer:  report.Answer{Outcome: report.Configured, Code: 200},
				Changes: []Change{{Field: ".spec.paused", Kind: report.Removed}},
			},
		},
		Findings: []report.Finding{
			Rules().Of("entry-shortened").
				On(web, live, text.New("the server stores less of the entry of %v too", text.By("helm"))),
		},
	}
}

func refusedClearing(bad string) Clearing {
	c := aClearing()
	c.Target.Name, c.Outcome, c.Code, c.Message = bad, report.Invalid, 422, bad
	c.Cleared[0].Manager = bad
	c.Findings = []report.Finding{
		Rules().Of("entry-dropped").
			On(c.Target, c.Source, text.New("the server drops the entry of %v too: it is at %v", text.By(bad), text.Name(bad))),
	}
	c.Spared = slices.Clone(c.Spared)
	c.Spared[0].Why = text.New("it is %v", text.Name(bad))
	return c
}

func TestClearGolden(t *testing.T) {
	whole := aClearing()
	whole.Whole, whole.Pruned, whole.Spared, whole.With = true, nil, nil, nil
	whole.Next = []Next{
		{
			Writer:  golden.WriterAt("web-team", "Apply", nil),
			Cleared: true,
			Attempt: report.Attempt{Outcome: report.Configured},
			Shares:  []string{"before-first-apply"},
		},
	}
	nothing := Clearing{Target: whole.Target, Attempt: report.Attempt{Outcome: report.Unchanged}, Entries: 1}
	failed := Clearing{
		Target:  whole.Target,
		Attempt: report.Attempt{Outcome: report.Failed, Message: "read managedFields: not a list"},
	}
	all := []Clearing{nothing, failed, whole, refusedClearing("odd")}
	formats.CheckAnswers(t, func(objects []Clearing) show.Answer {
		return formatsOf(NewDocument(golden.RunOf("v1.36.3"), objects), report.Report{})
	}, []formats.AnswerCase[Clearing]{
		{"clear", "text", show.Options{}, []Clearing{aClearing()}},
		{"clear_60", "text", show.Options{Width: 60, Fit: true}, []Clearing{aClearing()}},
		{"clear_color", "text", show.Options{Color: true}, []Clearing{aClearing()}},
		{"clear_whole", "text", show.Options{}, []Clearing{whole}},
		{"clear_several", "text", show.Options{}, all},
		{"clear_quiet", "text", show.Options{Quiet: true}, []Clearing{nothing, failed, whole}},
		{"clear_hostile", "text", show.Options{}, []Clearing{refusedClearing(golden.Acting)}},
		{"clear_problems", "remarks", show.Options{}, []Clearing{aClearing(), failed, refusedClearing(golden.Acting)}},
		{"clear", "markdown", show.Options{}, []Clearing{aClearing()}},
		{"clear_several", "markdown", show.Options{}, all},
		{"clear_several", "html", show.Options{}, all},
		{"clear", "json-patch", show.Options{}, []Clearing{aClearing()}},
		{"clear_several", "json-patch", show.Options{}, []Clearing{nothing, aClearing(), failed}},
		{"clear_nothing", "json-patch", show.Options{}, []Clearing{nothing}},
		{"clear", "kubectl", show.Options{}, []Clearing{aClearing(), nothing, refusedClearing("odd")}},
	})
}

// TestInterrupted: a plan of an interrupted run says how far it came, in text and in
// scripts, and one object of many is shown as one of many.
func TestInterrupted(t *testing.T) {
	d := NewDocument(golden.RunOf("v1.36.3"), []Clearing{aClearing()})
	d.Interrupted = &report.Interruption{Answered: 1, Total: 3}
	a := formatsOf(d, report.Report{})
	formats.Says(t, a, "text", show.Options{}, "\ninterrupted after 1 of 3 objects\n")
	formats.Says(t, a, "kubectl", show.Options{}, "\n# interrupted after 1 of 3 objects\n")
	formats.Says(t, a, "json-patch", show.Options{}, "[\n  {\n    \"target\": ")
}
