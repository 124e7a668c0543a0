package migrate

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
	"github.com/ssactl/ssactl/test/formats"
	"github.com/ssactl/ssactl/test/golden"
)

func migrationWriter(manager, operation, subresource string) report.Writer {
	at := time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)
	return report.Writer{
		Manager:     manager,
		Operation:   operation,
		Subresource: subresource,
		APIVersion:  "apps/v1",
		Time:        &at,
	}
}

func migrating() migration.Migration {
	old, edit := migrationWriter("kubectl-client-side-apply", "Update", ""), migrationWriter("kubectl-edit", "Update", "")
	target := migrationWriter("argocd-controller", "Apply", "")
	web := report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	live := report.Source{File: "live.yaml", Document: 1, Line: 1}
	return migration.Migration{
		Target:   web,
		Resource: "deployments",
		Source:   live,
		Verdict:  migration.Migrates,
		To:       migration.Choice{Manager: "argocd-controller", Reason: text.New("you name it")},
		Evidence: []migration.Evidence{
			{
				Writer:   old,
				Strength: migration.Certain,
				Reasons: []text.Text{
					text.New("it owns the last-applied annotation, which only a client-side apply writes"),
					text.New("it owns 3 of the 4 fields of the manifest"),
				},
				Migrated: true,
			},
			{Writer: edit, Strength: migration.Unrelated, Reasons: []text.Text{text.New("the name is that of kubectl edit")}},
		},
		Basis:      migration.ByManifest,
		Annotation: migration.AnnotationEffect{Effect: migration.Dropped, Reason: text.New("it goes stale")},
		Before:     []migration.EntrySummary{{Writer: old, Fields: 3}, {Writer: edit, Fields: 1}},
		After:      []migration.EntrySummary{{Writer: target, Fields: 2}, {Writer: edit, Fields: 1}},
		Gained:     []migration.Gained{{Field: ".spec.paused"}, {Field: ".spec.replicas", From: []report.Writer{old, edit}}},
		Lost: []migration.Lost{
			{Field: ".spec.progressDeadlineSeconds", By: old, Kind: migration.Default},
			{Field: ".spec.replicas", By: old, Kind: migration.ToTarget},
			{Field: ".spec.strategy.type", By: old, Kind: migration.LeftOver},
		},
		CoOwners: []migration.CoOwner{{Writer: edit, Fields: []string{".spec.replicas"}, About: "kubectl edit", Add: true}},
		Next: &migration.Next{
			Manager: "argocd-controller", Body: migration.ByManifest,
			Before: migration.NextApply{
				Answer:    report.Answer{Outcome: report.Conflicted, Code: 409},
				Conflicts: []report.Conflict{{Field: ".spec.replicas", Writer: old}},
			},
			After: migration.NextApply{
				Answer: report.Answer{Outcome: report.Configured, Code: 200},
				Changes: []report.Change{
					{Field: ".metadata.generation", Kind: report.Modified, Before: 1, After: 2},
					{Field: ".spec.replicas", Kind: report.Modified, Before: 3, After: 2},
				},
				Kept: []migration.KeptField{{Field: ".spec.paused", By: []report.Writer{edit}}, {Field: ".spec.strategy.type"}},
			},
		},
		Findings: []report.Finding{
			migration.Rules().
				Of("co-owner").
				On(web, live, text.New("%v also owns %v", text.By("kubectl-edit"), text.Path(".spec.replicas")), report.Fix{Does: text.New("%v makes it let go", text.Name("--from=kubectl-edit"))}),
			migration.Rules().
				Of("annotation-stale").
				At(report.SeverityNote).
				On(web, live, text.New("the last-applied annotation differs from the live value")).
				About(".spec.replicas"),
		},
		Patch: []migration.Operation{
			{Op: "test", Path: "/metadata/resourceVersion", Value: "7"},
			{Op: "replace", Path: "/metadata/managedFields", Value: []any{map[string]any{"manager": "it's $(id)"}}},
			{Op: "remove", Path: "/metadata/annotations/a~1b"},
		},
		Object: map[string]any{
			"apiVersion": "apps/v1",
			"kind":       "Deployment",
			"metadata":   map[string]any{"name": "web", "managedFields": []any{map[string]any{"manager": "argocd-controller"}}},
		},
	}
}

// hostileMigration is blocked, and its names would act on a terminal, a shell
// or the runner of a CI system.
func hostileMigration() migration.Migration {
	red := report.Writer{Manager: "\x1b[31mred", Operation: "Update", APIVersion: "v1"}
	reboot := report.Target{APIVersion: "v1", Kind: "ConfigMap", Namespace: "x\x1b[2J", Name: "$(reboot)\n::error::x"}
	live := report.Source{File: "live.yaml", Document: 2, Line: 40}
	return migration.Migration{
		Target:  reboot,
		Source:  live,
		Verdict: migration.Blocked,
		Evidence: []migration.Evidence{
			{Writer: red, Strength: migration.Thin, Reasons: []text.Text{text.New("nothing is known of it")}},
		},
		Findings: []report.Finding{
			migration.Rules().
				Of("thin-evidence").
				On(reboot, live, text.New("nothing is known of %v", text.By("\x1b[31mred")), report.Fix{Does: text.New("name the entry too: %v", text.Name(shell.Value("--from", "\x1b[31mred").String()))}),
		},
	}
}

func migrationDocument() migration.Document {
	failed := migration.Migration{
		Target:  report.Target{APIVersion: "v1", Kind: "Secret", Namespace: "shop", Name: "s"},
		Verdict: migration.Failed,
		Error:   "two live objects",
	}
	idle := migration.Migration{
		Target:  report.Target{APIVersion: "v1", Kind: "Service", Namespace: "shop", Name: "web"},
		Verdict: migration.NothingToDo,
		Object:  map[string]any{"kind": "Service"},
	}
	return migration.NewDocument(
		golden.RunOf("v1.36.3"),
		[]migration.Migration{migrating(), hostileMigration(), failed, idle},
	)
}

func TestMigrateGolden(t *testing.T) {
	one, all := []migration.Migration{migrating()}, migrationDocument().Objects
	masked := migrating()
	masked.Patch, masked.NoPatch = nil, "masked"
	formats.CheckAnswers(t, func(objects []migration.Migration) show.Answer {
		return formatsOf(migration.NewDocument(golden.RunOf("v1.36.3"), objects))
	}, []formats.AnswerCase[migration.Migration]{
		{"migrate_one", "text", show.Options{}, one},
		{"migrate_one_verbose", "text", show.Options{Verbose: true}, one},
		{"migrate_one_40", "text", show.Options{Width: 40}, one},
		{"migrate_one_color", "text", show.Options{Color: true}, one},
		{"migrate_several", "text", show.Options{}, all},
		{"migrate_several_quiet", "text", show.Options{Quiet: true}, all},
		{"migrate_several", "remarks", show.Options{}, append(all, masked)},
		{"migrate_several", "report", show.Options{}, all},
		{"migrate_several", "markdown", show.Options{}, all},
		{"migrate_several", "html", show.Options{}, all},
		{"migrate_several", "github", show.Options{}, all},
		{"migrate_several", "sarif", show.Options{}, all},
		{"migrate_several", "junit", show.Options{}, all},
		{"migrate_several", "yaml", show.Options{}, all},
		{"migrate_several", "json-patch", show.Options{}, all},
	})
}

func TestMigrateWithoutPatch(t *testing.T) {
	none := migrating()
	none.Patch, none.NoPatch = nil, "masked"
	var got bytes.Buffer
	err := formatsOf(
		migration.NewDocument(report.Run{}, []migration.Migration{none}),
	).Write(&got, "json-patch", show.Options{})
	if err == nil || !strings.Contains(err.Error(), "masked") {
		t.Errorf("the error is %v", err)
	}
}

// TestMigrateKubectl runs the script with a kubectl that prints its patch: the shell
// gives it that, and runs nothing else.
func TestMigrateKubectl(t *testing.T) {
	long := migrating()
	long.Patch = append(
		long.Patch,
		migration.Operation{Op: "add", Path: "/x", Value: strings.Repeat("END '\n", 120_000/5)},
	)
	for name, m := range map[string]migration.Migration{"short": migrating(), "long": long} {
		t.Run(name, func(t *testing.T) {
			var script bytes.Buffer
			if err := formatsOf(migration.NewDocument(report.Run{}, []migration.Migration{hostileMigration(), m})).Write(&script, "kubectl", show.Options{}); err != nil {
				t.Fatal(err)
			}
			const fake = "kubectl() { for a in \"$@\"; do case $a in --patch-file=*) cat;; --patch=*) printf '%s\\n' \"${a#--patch=}\";; esac; done; }\n"
			cmd := exec.Command("sh")
			cmd.Stdin = strings.NewReader(fake + script.String())
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			text, err := objects.JSON(m.Patch, "")
			if err != nil {
				t.Fatal(err)
			}
			var want bytes.Buffer
			if err := json.Compact(&want, []byte(text)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.String()+"\n", string(out)); diff != "" {
				t.Errorf("patch (-want +got by kubectl)\n%s", diff)
			}
		})
	}
}

// TestInterrupted: a plan of an interrupted run says how far it came, in text and in
// scripts, and one object of many is shown as one of many.
func TestInterrupted(t *testing.T) {
	d := migration.NewDocument(golden.RunOf("v1.36.3"), []migration.Migration{migrating()})
	d.Interrupted = &report.Interruption{Answered: 1, Total: 3}
	a := formatsOf(d)
	formats.Says(t, a, "text", show.Options{Quiet: true}, "1 object: 1 to migrate\n")
	formats.Says(t, a, "text", show.Options{}, "\ninterrupted after 1 of 3 objects\n")
	formats.Says(t, a, "kubectl", show.Options{}, "\n# interrupted after 1 of 3 objects\n")
	formats.Says(t, a, "json-patch", show.Options{}, "[\n  {\n    \"target\": ")
}
