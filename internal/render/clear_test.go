package render

import (
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/plan/clear"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// acting would act on a terminal, or on a runner that reads commands.
const acting = "a\x1b[2Jb\u202ec\r\n::error::x"

// webObject is what commands of the goldens are about.
var webObject = kubectl.Object{Resource: schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, Namespace: "shop", Name: "web"}

func writerAt(manager, operation string, at *time.Time) report.Writer {
	return report.Writer{Manager: manager, Operation: operation, APIVersion: "apps/v1", Time: at}
}

// clearing is one of everything that clear tells.
func clearing() clear.Clearing {
	old := now.Add(-400 * 24 * time.Hour)
	dashboard, gitops := writerAt("node-fetch", "Update", &old), writerAt("argocd-controller", "Apply", &old)
	web := report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	live := report.Source{File: "live.yaml", Document: 1, Line: 1}
	return clear.Clearing{
		Target:  web,
		Source:  live,
		Attempt: report.Attempt{Outcome: report.Configured, Code: 200}, Entries: 4,
		Cleared: []clear.Entry{{Writer: dashboard, Index: 1, Fields: 2, Who: "a person with a dashboard or desktop client"}},
		Pruned:  []clear.Entry{{Writer: writerAt("helm", "Update", nil), Index: 2, Fields: 1, Who: "Helm"}},
		Spared:  []clear.Entry{{Writer: gitops, Index: 0, Fields: 6, Who: "Argo CD", Why: text.New("its age proves nothing")}},
		Patch: []clear.Operation{
			{Op: "test", Path: "/metadata/resourceVersion", Value: "7"},
			{Op: "remove", Path: "/metadata/managedFields/1"},
		},
		Command:   webObject.Patch(kubectl.Patch{Type: kubectl.JSONPatch, Body: []byte("[]")}),
		Ownerless: []string{".spec.paused"},
		Remaining: []report.FieldOwners{{Field: ".spec.replicas", Managers: []report.Writer{gitops}}},
		Next: []clear.Next{
			{
				Writer: gitops, Attempt: report.Attempt{Outcome: report.Unchanged, Code: 200},
				Probes: []clear.Probe{
					{Kind: clear.DropNext, Field: ".spec.replicas", Before: clear.Kept, After: clear.Changed},
					{Kind: clear.DropLater, Field: ".spec.replicas", Before: clear.Kept, After: clear.Changed},
					{Kind: clear.ChangeLater, Field: ".spec.replicas", Before: clear.Conflicted, After: clear.Changed},
				},
			},
			{Writer: writerAt("web-team", "Apply", &old), Cleared: true, Attempt: report.Attempt{Outcome: report.Conflicted, Code: 409}, With: []string{"x", "y"}},
			{Writer: writerAt("odd", "Apply", nil), Unknown: "the live object cannot be read at v9"},
		},
		With: &clear.With{
			Source: report.Source{File: "web.yaml"}, Manager: "argocd-controller",
			Before: clear.Answer{Answer: report.Answer{Outcome: report.Conflicted, Code: 409}, Conflicts: []clear.Conflict{{Field: ".spec.paused", Manager: "node-fetch"}}},
			After:  clear.Answer{Answer: report.Answer{Outcome: report.Configured, Code: 200}, Changes: []clear.Change{{Field: ".spec.paused", Kind: report.Removed}}},
		},
		Findings: []finding.Finding{clear.Rules().Of("entry-shortened").On(web, live, text.New("the server stores less of the entry of %v too", text.By("helm")))},
	}
}

func refusedClearing(bad string) clear.Clearing {
	c := clearing()
	c.Target.Name, c.Outcome, c.Code, c.Message = bad, report.Invalid, 422, bad
	c.Cleared[0].Manager = bad
	c.Findings = []finding.Finding{clear.Rules().Of("entry-dropped").On(c.Target, c.Source, text.New("the server drops the entry of %v too: it is at %v", text.By(bad), text.Name(bad)))}
	c.Spared = slices.Clone(c.Spared)
	c.Spared[0].Why = text.New("it is %v", text.Name(bad))
	return c
}

func TestClearGolden(t *testing.T) {
	whole := clearing()
	whole.Whole, whole.Pruned, whole.Spared, whole.With = true, nil, nil, nil
	whole.Next = []clear.Next{{Writer: writerAt("web-team", "Apply", nil), Cleared: true, Attempt: report.Attempt{Outcome: report.Configured}, Shares: []string{"before-first-apply"}}}
	nothing := clear.Clearing{Target: whole.Target, Attempt: report.Attempt{Outcome: report.Unchanged}, Entries: 1}
	failed := clear.Clearing{Target: whole.Target, Attempt: report.Attempt{Outcome: report.Failed, Message: "read managedFields: not a list"}}
	all := []clear.Clearing{nothing, failed, whole, refusedClearing("odd")}
	checkAnswers(t, func(objects []clear.Clearing) Answer {
		return Clear(clear.NewDocument(runOf("v1.36.3"), objects), report.Report{})
	}, []answerCase[clear.Clearing]{
		{"clear", "text", Options{}, []clear.Clearing{clearing()}},
		{"clear_60", "text", Options{Width: 60, Fit: true}, []clear.Clearing{clearing()}},
		{"clear_color", "text", Options{Color: true}, []clear.Clearing{clearing()}},
		{"clear_whole", "text", Options{}, []clear.Clearing{whole}},
		{"clear_several", "text", Options{}, all},
		{"clear_quiet", "text", Options{Quiet: true}, []clear.Clearing{nothing, failed, whole}},
		{"clear_hostile", "text", Options{}, []clear.Clearing{refusedClearing(acting)}},
		{"clear_problems", "remarks", Options{}, []clear.Clearing{clearing(), failed, refusedClearing(acting)}},
		{"clear", "markdown", Options{}, []clear.Clearing{clearing()}},
		{"clear_several", "markdown", Options{}, all},
		{"clear_several", "html", Options{}, all},
		{"clear", "json-patch", Options{}, []clear.Clearing{clearing()}},
		{"clear_several", "json-patch", Options{}, []clear.Clearing{nothing, clearing(), failed}},
		{"clear_nothing", "json-patch", Options{}, []clear.Clearing{nothing}},
		{"clear", "kubectl", Options{}, []clear.Clearing{clearing(), nothing, refusedClearing("odd")}},
	})
}
