package render

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

func migrationWriter(manager, operation, subresource string) report.Writer {
	at := time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)
	return report.Writer{Manager: manager, Operation: operation, Subresource: subresource, APIVersion: "apps/v1", Time: &at}
}

func migrating() migrate.Migration {
	old, edit := migrationWriter("kubectl-client-side-apply", "Update", ""), migrationWriter("kubectl-edit", "Update", "")
	target := migrationWriter("argocd-controller", "Apply", "")
	web := report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	live := report.Source{File: "live.yaml", Document: 1, Line: 1}
	return migrate.Migration{
		Target:     web,
		Resource:   "deployments",
		Source:     live,
		Verdict:    migrate.Migrates,
		To:         migrate.Choice{Manager: "argocd-controller", Reason: text.New("you name it")},
		Evidence:   []migrate.Evidence{{Writer: old, Strength: migrate.Certain, Reasons: []text.Text{text.New("it owns the last-applied annotation, which only a client-side apply writes"), text.New("it owns 3 of the 4 fields of the manifest")}, Migrated: true}, {Writer: edit, Strength: migrate.Unrelated, Reasons: []text.Text{text.New("the name is that of kubectl edit")}}},
		Basis:      migrate.ByManifest,
		Annotation: migrate.AnnotationEffect{Effect: migrate.Dropped, Reason: text.New("it goes stale")},
		Before:     []migrate.EntrySummary{{Writer: old, Fields: 3}, {Writer: edit, Fields: 1}},
		After:      []migrate.EntrySummary{{Writer: target, Fields: 2}, {Writer: edit, Fields: 1}},
		Gained:     []migrate.Gained{{Field: ".spec.paused"}, {Field: ".spec.replicas", From: []report.Writer{old, edit}}},
		Lost: []migrate.Lost{
			{Field: ".spec.progressDeadlineSeconds", By: old, Kind: migrate.Default},
			{Field: ".spec.replicas", By: old, Kind: migrate.ToTarget},
			{Field: ".spec.strategy.type", By: old, Kind: migrate.LeftOver},
		},
		CoOwners: []migrate.CoOwner{{Writer: edit, Fields: []string{".spec.replicas"}, About: "kubectl edit", Add: true}},
		Next: &migrate.Next{
			Manager: "argocd-controller", Body: migrate.ByManifest,
			Before: migrate.NextApply{Answer: report.Answer{Outcome: report.Conflicted, Code: 409}, Conflicts: []report.Conflict{{Field: ".spec.replicas", Writer: old}}},
			After: migrate.NextApply{
				Answer:  report.Answer{Outcome: report.Configured, Code: 200},
				Changes: []report.Change{{Field: ".metadata.generation", Kind: report.Modified, Before: 1, After: 2}, {Field: ".spec.replicas", Kind: report.Modified, Before: 3, After: 2}},
				Kept:    []migrate.KeptField{{Field: ".spec.paused", By: []report.Writer{edit}}, {Field: ".spec.strategy.type"}},
			},
		},
		Findings: []finding.Finding{
			migrate.Rules().Of("co-owner").On(web, live, text.New("%v also owns %v", text.By("kubectl-edit"), text.Path(".spec.replicas")), finding.Fix{Does: text.New("%v makes it let go", text.Name("--from=kubectl-edit"))}),
			migrate.Rules().Of("annotation-stale").At(report.SeverityNote).On(web, live, text.New("the last-applied annotation differs from the live value")).About(".spec.replicas"),
		},
		Patch: []migrate.Operation{
			{Op: "test", Path: "/metadata/resourceVersion", Value: "7"},
			{Op: "replace", Path: "/metadata/managedFields", Value: []any{map[string]any{"manager": "it's $(id)"}}},
			{Op: "remove", Path: "/metadata/annotations/a~1b"},
		},
		Object: map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "web", "managedFields": []any{map[string]any{"manager": "argocd-controller"}}}},
	}
}

// hostileMigration is blocked, and its names would act on a terminal, a shell
// or the runner of a CI system.
func hostileMigration() migrate.Migration {
	red := report.Writer{Manager: "\x1b[31mred", Operation: "Update", APIVersion: "v1"}
	reboot := report.Target{APIVersion: "v1", Kind: "ConfigMap", Namespace: "x\x1b[2J", Name: "$(reboot)\n::error::x"}
	live := report.Source{File: "live.yaml", Document: 2, Line: 40}
	return migrate.Migration{
		Target:   reboot,
		Source:   live,
		Verdict:  migrate.Blocked,
		Evidence: []migrate.Evidence{{Writer: red, Strength: migrate.Thin, Reasons: []text.Text{text.New("nothing is known of it")}}},
		Findings: []finding.Finding{
			migrate.Rules().Of("thin-evidence").On(reboot, live, text.New("nothing is known of %v", text.By("\x1b[31mred")), finding.Fix{Does: text.New("name the entry too: %v", text.Name(shell.Value("--from", "\x1b[31mred").String()))}),
		},
	}
}

func migrationDocument() migrate.Document {
	failed := migrate.Migration{Target: report.Target{APIVersion: "v1", Kind: "Secret", Namespace: "shop", Name: "s"}, Verdict: migrate.Failed, Error: "two live objects"}
	idle := migrate.Migration{Target: report.Target{APIVersion: "v1", Kind: "Service", Namespace: "shop", Name: "web"}, Verdict: migrate.NothingToDo, Object: map[string]any{"kind": "Service"}}
	return migrate.NewDocument(runOf("v1.36.3"), []migrate.Migration{migrating(), hostileMigration(), failed, idle})
}

func TestMigrateGolden(t *testing.T) {
	one, all := []migrate.Migration{migrating()}, migrationDocument().Objects
	masked := migrating()
	masked.Patch, masked.NoPatch = nil, "masked"
	checkAnswers(t, func(objects []migrate.Migration) Answer {
		return Migrate(migrate.NewDocument(runOf("v1.36.3"), objects))
	}, []answerCase[migrate.Migration]{
		{"migrate_one", "text", Options{}, one},
		{"migrate_one_verbose", "text", Options{Verbose: true}, one},
		{"migrate_one_40", "text", Options{Width: 40}, one},
		{"migrate_one_color", "text", Options{Color: true}, one},
		{"migrate_several", "text", Options{}, all},
		{"migrate_several_quiet", "text", Options{Quiet: true}, all},
		{"migrate_several", "remarks", Options{}, append(all, masked)},
		{"migrate_several", "report", Options{}, all},
		{"migrate_several", "markdown", Options{}, all},
		{"migrate_several", "html", Options{}, all},
		{"migrate_several", "github", Options{}, all},
		{"migrate_several", "sarif", Options{}, all},
		{"migrate_several", "junit", Options{}, all},
		{"migrate_several", "yaml", Options{}, all},
		{"migrate_several", "json-patch", Options{}, all},
	})
}

func TestMigrateWithoutPatch(t *testing.T) {
	none := migrating()
	none.Patch, none.NoPatch = nil, "masked"
	var got bytes.Buffer
	err := Migrate(migrate.NewDocument(report.Run{}, []migrate.Migration{none})).Write(&got, "json-patch", Options{})
	if err == nil || !strings.Contains(err.Error(), "masked") {
		t.Errorf("the error is %v", err)
	}
}

// TestMigrateKubectl runs the script with a kubectl that prints its patch: the shell
// gives it that, and runs nothing else.
func TestMigrateKubectl(t *testing.T) {
	long := migrating()
	long.Patch = append(long.Patch, migrate.Operation{Op: "add", Path: "/x", Value: strings.Repeat("END '\n", maxArgument/5)})
	for name, m := range map[string]migrate.Migration{"short": migrating(), "long": long} {
		t.Run(name, func(t *testing.T) {
			var script bytes.Buffer
			if err := Migrate(migrate.NewDocument(report.Run{}, []migrate.Migration{hostileMigration(), m})).Write(&script, "kubectl", Options{}); err != nil {
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
