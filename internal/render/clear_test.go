package render

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/plan/clear"
	"github.com/ssactl/ssactl/internal/report"
)

// acting would act on a terminal, or on a runner that reads commands.
const acting = "a\x1b[2Jb\u202ec\r\n::error::x"

func writerAt(manager, operation string, at *time.Time) report.Writer {
	return report.Writer{Manager: manager, Operation: operation, APIVersion: "apps/v1", Time: at}
}

// clearing is one of everything that clear tells.
func clearing() clear.Clearing {
	old := now.Add(-400 * 24 * time.Hour)
	dashboard, gitops := writerAt("node-fetch", "Update", &old), writerAt("argocd-controller", "Apply", &old)
	return clear.Clearing{
		Target:  report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"},
		Source:  report.Source{File: "live.yaml", Document: 1, Line: 1},
		Outcome: report.Configured, Code: 200, Entries: 4,
		Cleared: []clear.Entry{{Writer: dashboard, Index: 1, Fields: 2, Who: "a person with a dashboard or desktop client"}},
		Pruned:  []clear.Entry{{Writer: writerAt("helm", "Update", nil), Index: 2, Fields: 1, Who: "Helm"}},
		Spared:  []clear.Entry{{Writer: gitops, Index: 0, Fields: 6, Who: "Argo CD", Why: "its age proves nothing"}},
		Patch: []clear.Operation{
			{Op: "test", Path: "/metadata/resourceVersion", Value: "7"},
			{Op: "remove", Path: "/metadata/managedFields/1"},
		},
		Command:   `kubectl patch deployments.v1.apps/web -n shop --type=json -p '[]'`,
		Ownerless: []string{".spec.paused"},
		Remaining: []report.FieldOwners{{Field: ".spec.replicas", Managers: []report.Writer{gitops}}},
		Next: []clear.Next{
			{
				Writer: gitops, Outcome: report.Unchanged, Code: 200,
				Probes: []clear.Probe{
					{Kind: clear.DropNext, Field: ".spec.replicas", Before: clear.Kept, After: clear.Changed},
					{Kind: clear.DropLater, Field: ".spec.replicas", Before: clear.Kept, After: clear.Changed},
					{Kind: clear.ChangeLater, Field: ".spec.replicas", Before: clear.Conflicted, After: clear.Changed},
				},
			},
			{Writer: writerAt("web-team", "Apply", &old), Cleared: true, Outcome: report.Conflicted, Code: 409, With: []string{"x", "y"}},
			{Writer: writerAt("odd", "Apply", nil), Unknown: "the live object cannot be told at v9"},
		},
		With: &clear.With{
			Source: report.Source{File: "web.yaml"}, Manager: "argocd-controller",
			Before: clear.Answer{Outcome: report.Conflicted, Code: 409, Conflicts: []clear.Conflict{{Field: ".spec.paused", Manager: "node-fetch"}}},
			After:  clear.Answer{Outcome: report.Configured, Code: 200, Changes: []clear.Change{{Field: ".spec.paused", Kind: report.Removed}}},
		},
		Findings: []string{"the server stores less of the entry of helm too"},
	}
}

func refusedClearing(text string) clear.Clearing {
	c := clearing()
	c.Target.Name, c.Outcome, c.Code, c.Message = text, report.Invalid, 422, text
	c.Cleared[0].Manager, c.Findings, c.Spared[0].Why = text, []string{text}, text
	return c
}

func TestClearGolden(t *testing.T) {
	whole := clearing()
	whole.Whole, whole.Pruned, whole.Spared, whole.With = true, nil, nil, nil
	whole.Next = []clear.Next{{Writer: writerAt("web-team", "Apply", nil), Cleared: true, Outcome: report.Configured, Shares: []string{"before-first-apply"}}}
	nothing := clear.Clearing{Target: whole.Target, Outcome: report.Unchanged, Entries: 1}
	failed := clear.Clearing{Target: whole.Target, Outcome: report.Failed, Message: "read managedFields: not a list"}
	cases := []struct {
		name    string
		render  func(io.Writer, clear.Document, Options) error
		options Options
		objects []clear.Clearing
	}{
		{"clear.text", ClearText, Options{}, []clear.Clearing{clearing()}},
		{"clear_60.text", ClearText, Options{Width: 60}, []clear.Clearing{clearing()}},
		{"clear_color.text", ClearText, Options{Color: true}, []clear.Clearing{clearing()}},
		{"clear_whole.text", ClearText, Options{}, []clear.Clearing{whole}},
		{"clear_several.text", ClearText, Options{}, []clear.Clearing{nothing, failed, whole, refusedClearing("odd")}},
		{"clear_quiet.text", ClearText, Options{Quiet: true}, []clear.Clearing{nothing, failed, whole}},
		{"clear_hostile.text", ClearText, Options{}, []clear.Clearing{refusedClearing(acting)}},
		{"clear_problems.text", ClearProblems, Options{}, []clear.Clearing{clearing(), failed, refusedClearing(acting)}},
		{"clear.json-patch", ClearPatch, Options{}, []clear.Clearing{clearing()}},
		{"clear_several.json-patch", ClearPatch, Options{}, []clear.Clearing{nothing, clearing(), failed}},
		{"clear_nothing.json-patch", ClearPatch, Options{}, []clear.Clearing{nothing}},
		{"clear.kubectl", ClearCommands, Options{}, []clear.Clearing{clearing(), nothing, refusedClearing("odd")}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.options.Now = now
			var got bytes.Buffer
			if err := c.render(&got, clear.NewDocument("v1.36.3", c.objects, nil), c.options); err != nil {
				t.Fatal(err)
			}
			nothingActs(t, c.options, got.String())
			checkGolden(t, c.name, got.String())
		})
	}
}

// Lines with colours are as wide as what is seen of them.
func TestStyled(t *testing.T) {
	p := newPrinter(Options{Width: 40, Color: true})
	p.styled(p.bold("3 objects") + ": " + p.yellow("1 to clear (2 managed fields entries)") + ", " + p.red("2 refused"))
	p.styled("  two  columns and " + p.bold("a-word-that-is-longer-than-the-width-of-it") + " end")
	want := "\x1b[1m3 objects\x1b[22m: \x1b[33m1 to clear (2 managed fields\n    entries)\x1b[0m, \x1b[31m2 refused\x1b[0m\n" +
		"  two  columns and\n    \x1b[1ma-word-that-is-longer-than-the-width-of-it\x1b[22m\n    end\n"
	if diff := cmp.Diff(want, p.out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
