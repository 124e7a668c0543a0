package show

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
	"github.com/ssactl/ssactl/test/golden"
)

// escapes are those of colors.
var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// screenLines is how many lines of a large answer are kept: the first screen.
const screenLines = 50

// screens are the runs whose first screen is kept.
var screens = map[string]func() []report.Result{
	"one": oneConflict, "nothing": nothingToDo, "upgrade": func() []report.Result { return upgrade(false) },
	"forced": func() []report.Result { return upgrade(true) }, "refused": allRefused, "large": large,
}

// TestFirstScreen has what a reviewer sees first of an answer, on terminals of four
// widths and where it is piped.
func TestFirstScreen(t *testing.T) {
	for name, results := range screens {
		t.Run(name, func(t *testing.T) {
			doc := report.New(golden.RunOf("v1.36.3"), results())
			golden.CheckGolden(t, filepath.Join("first_screen", name+"_piped.text"), screen(t, doc, Options{}))
			for _, width := range []int{60, 80, 120, 200} {
				plain := screen(t, doc, Options{Width: width, Fit: true})
				golden.CheckGolden(t, filepath.Join("first_screen", fmt.Sprintf("%s_%d.text", name, width)), plain)
				colored := screen(t, doc, Options{Width: width, Fit: true, Color: true})
				golden.CheckGolden(t, filepath.Join("first_screen", fmt.Sprintf("%s_%d_color.text", name, width)), colored)
				if got := escapes.ReplaceAllString(colored, ""); got != plain {
					t.Errorf("%d columns: colors change more than colors:\n%s", width, got)
				}
				checkScreen(t, width, plain)
			}
		})
	}
}

// screen is the text of an answer, of a large one its first lines.
func screen(t *testing.T, doc report.Report, o Options) string {
	t.Helper()
	o.Now, o.LiveFile = golden.Now, "live.yaml"
	o.Inputs = []shell.Flag{shell.File("-f", "chart.yaml"), shell.File("--live", "live.yaml")}
	var out bytes.Buffer
	if err := stream.Play(in("text", &out, o), doc); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(out.String(), "\n")
	if len(doc.Results) > 1000 && len(lines) > screenLines {
		lines = append(lines[:screenLines:screenLines], fmt.Sprintf("(%d more lines)\n", len(lines)-screenLines))
	}
	return strings.Join(lines, "")
}

// checkScreen checks what no golden may have: two values cut to the same text, a
// line said three times, or a command twice.
func checkScreen(t *testing.T, width int, text string) {
	t.Helper()
	said := map[string]int{}
	for _, l := range strings.Split(text, "\n") {
		if before, after, ok := strings.Cut(l, " -> "); ok && strings.HasSuffix(before, after) {
			t.Errorf("%d columns: both values read the same: %s", width, l)
		}
		// A row may go on with the field and the values of another object.
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, ".") {
			said[l]++
		}
	}
	for l, n := range said {
		if strings.HasPrefix(l, "ssactl ") && n > 1 || n > 2 && glyph.Columns(l) > width/2 {
			t.Errorf("%d columns: said %d times: %s", width, n, l)
		}
	}
}

// chartObject is one of a made-up chart: the line of its document tells it apart.
func chartObject(n int, apiVersion, kind, name string) report.Result {
	t := report.Target{APIVersion: apiVersion, Kind: kind, Namespace: "portal", Name: name}
	if kind == "CustomResourceDefinition" {
		t.Namespace = ""
	}
	return report.Result{
		Target: t, Source: report.Source{File: "chart.yaml", Document: n + 1, Line: 40*n + 1}, LiveSource: &report.Source{File: "live.yaml", Document: 1, Line: 90*n + 1},
		Operation: report.Apply, Manager: "argocd-controller", Outcome: report.Unchanged, Code: 200, Confidence: golden.Exact, Live: map[string]any{}, Object: map[string]any{},
	}
}

// The owners in the chart.
var (
	helmUpdates = report.Writer{Manager: "helm", Operation: "Update", APIVersion: "apps/v1", Time: golden.At(1, 9)}
	handEdits   = report.Writer{Manager: "kubectl-edit", Operation: "Update", APIVersion: "v1", Time: golden.At(19, 22)}
	autoscaler  = report.Writer{
		Manager:     "kube-controller-manager",
		Operation:   "Update",
		Subresource: "scale",
		APIVersion:  "apps/v1",
	}

	inHelmsManifest = conflict.Conflict{Recommended: conflict.StopManaging, Because: conflict.Reason{Kind: conflict.OtherManifest, Managers: []string{"helm"}}}
)

// contest makes a result conflict about a field, or take it.
func contest(
	r *report.Result,
	forced bool,
	field string,
	owner report.Writer,
	advice *conflict.Conflict,
	live, applied any,
) {
	at := &report.Source{File: "chart.yaml", Line: r.Source.Line + 12 + len(r.Conflicts)}
	change := report.Change{
		Field:  field,
		Kind:   report.Modified,
		Before: live,
		After:  applied,
		Reason: report.ReasonApplied,
		Source: at,
	}
	taken := report.Transfer{
		Field:       field,
		Manager:     owner.Manager,
		Operation:   owner.Operation,
		Subresource: owner.Subresource,
		Kind:        report.Overridden,
		Cause:       report.ByForce,
	}
	if forced {
		r.Force, r.Outcome = true, report.Configured
		r.Changes, r.Transfers = append(r.Changes, change), append(r.Transfers, taken)
		r.Risks = append(
			r.Risks,
			report.Finding{Rule: "taken-by-force", Severity: report.SeverityWarning, Field: field, Manager: owner.Manager,
				Message: risk.Taken(owner, writers.ManagerKindOf(owner, r.Manager)), Source: *at},
		)
		return
	}
	message := fmt.Sprintf(
		"Apply failed with 1 conflict: conflict with %q using %s: %s", owner.Manager, owner.APIVersion,
		field,
	)
	r.Code = 409
	r.Status = &report.Status{Message: message, Reason: "Conflict", Raw: map[string]any{"message": message}}
	c := conflict.Conflict{}
	if advice != nil {
		c = *advice
	}
	c.Field, c.Owners, c.Source = field, []conflict.Owner{{Writer: owner}}, at
	c.Live, c.Yours = conflict.Value{Value: live}, conflict.Value{Value: applied}
	*r = conflict.Conflicting(*r, []conflict.Conflict{c})
	if r.Forced == nil {
		r.Forced = &report.Forced{Outcome: report.Configured, Code: 200}
	}
	r.Forced.Changes, r.Forced.Transfers = append(r.Forced.Changes, change), append(r.Forced.Transfers, taken)
}

// definition is an atomic list that differs somewhere inside.
func definition(description string, more ...string) []any {
	properties := map[string]any{}
	for i := range 8 {
		properties[fmt.Sprintf("field%d", i)] = map[string]any{
			"type":        "string",
			"description": fmt.Sprintf("Field %d says what happens when it is set, and what happens when it is not.", i),
		}
	}
	properties["field3"] = map[string]any{"type": "string", "description": description}
	for _, name := range more {
		properties[name] = map[string]any{"type": "string"}
	}
	return []any{
		map[string]any{
			"name":    "v1",
			"served":  true,
			"storage": true,
			"schema": map[string]any{"openAPIV3Schema": map[string]any{
				"type": "object", "properties": map[string]any{"spec": map[string]any{"type": "object", "properties": properties}}}},
		},
	}
}

// components of the chart have a Deployment, a ConfigMap and a Service each.
var components = []string{"api", "web", "worker", "search", "mailer", "cache", "scheduler", "gateway", "auth"}

// upgrade is the upgrade of a chart: 59 objects; 21 conflict, or are taken with
// force.
func upgrade(forced bool) []report.Result {
	var out []report.Result
	add := func(apiVersion, kind, name string) *report.Result {
		out = append(out, chartObject(len(out), apiVersion, kind, name))
		return &out[len(out)-1]
	}
	for _, name := range []string{"sites", "feeds", "gates"} {
		r := add("apiextensions.k8s.io/v1", "CustomResourceDefinition", name+".portal.example")
		contest(
			r, forced, ".spec.versions", helmUpdates,
			&inHelmsManifest,
			definition("Field 3 of the former release."),
			definition("Field 3 of the new release.", "field8"),
		)
	}
	for i, name := range components {
		r := add("apps/v1", "Deployment", name)
		image, owner, advice := fmt.Sprintf(
			".spec.template.spec.containers[name=%q].image",
			name,
		), helmUpdates, &inHelmsManifest
		live := "registry.example/portal/" + name + ":2.9.1"
		if i < 4 {
			owner, advice, live = handEdits, &usedByHand, live+"-hotfix"
		}
		if i < 2 {
			contest(r, forced, ".spec.replicas", autoscaler, &autoscaled, int64(7), int64(2))
		}
		contest(r, forced, image, owner, advice, live, "registry.example/portal/"+name+":2.10.0")
	}
	for i, name := range components {
		r := add("v1", "ConfigMap", name+"-config")
		switch {
		case i < 7:
			contest(
				r, forced, ".data.config.yaml", handEdits,
				&usedByHand,
				"log: debug\nworkers: 16\n",
				"log: info\nworkers: 4\n",
			)
		default:
			configure(r, ".data.config.yaml", "log: warn\n", "log: info\n")
		}
	}
	for i, name := range components {
		r := add("v1", "Service", name)
		switch {
		case i < 2:
			contest(r, forced, ".spec.externalTrafficPolicy", handEdits, &usedByHand, "Local", "Cluster")
		case i < 5:
			field := ".spec.sessionAffinity"
			configure(r, field, "ClientIP", "None")
			r.Risks = []report.Finding{
				{
					Rule:     "falls-back-to-default",
					Severity: report.SeverityWarning,
					Field:    field,
					Source:   report.Source{File: "chart.yaml", Line: r.Source.Line},
					Message: text.New(
						"ClientIP becomes None, the server's default: argocd-controller drops the field, and no other manager owns it",
					),
				},
			}
		}
	}
	for _, name := range []string{"portal-flags", "portal-banner"} {
		r := add("v1", "ConfigMap", name)
		r.Outcome, r.Code, r.LiveSource, r.Live = report.Created, 201, nil, nil
	}
	for i := 0; len(out) < 59; i++ {
		add(
			"rbac.authorization.k8s.io/v1",
			[]string{"Role", "RoleBinding", "ServiceAccount"}[i%3],
			fmt.Sprintf("portal-%d", i/3),
		)
	}
	return out
}

func configure(r *report.Result, field string, before, after any) {
	r.Outcome = report.Configured
	r.Changes = []report.Change{
		{Field: field, Kind: report.Modified, Before: before, After: after, Reason: report.ReasonApplied, Source: &r.Source},
	}
}

func oneConflict() []report.Result { return upgrade(false)[:1] }

func nothingToDo() []report.Result {
	var out []report.Result
	for i := range 14 {
		out = append(out, chartObject(i, "v1", "ConfigMap", fmt.Sprintf("portal-%d", i)))
	}
	return out
}

// allRefused are objects whose namespace is missing, and some with faults of their
// own.
func allRefused() []report.Result {
	var out []report.Result
	for i, name := range components {
		r := chartObject(i, "apps/v1", "Deployment", name)
		message := `namespaces "portal" not found`
		r.Outcome, r.Code, r.Status = report.Invalid, 404, &report.Status{Message: message, Reason: "NotFound"}
		if i > 5 {
			field := "spec.template.spec.containers[0].image"
			r.Code, r.Status = 422, &report.Status{
				Reason:  "Invalid",
				Message: fmt.Sprintf("Deployment.apps %q is invalid: %s: Required value", name, field),
			}
			r.Causes = []report.Cause{
				{Field: field, Message: "Required value", Source: &report.Source{File: "chart.yaml", Line: r.Source.Line + 14}},
			}
		}
		r.Object = nil
		out = append(out, r)
	}
	return out
}

// large is a dump of 10,000 objects; every fifth conflicts.
func large() []report.Result {
	var out []report.Result
	for i := range 10_000 {
		r := chartObject(i, "apps/v1", "Deployment", fmt.Sprintf("web-%d", i))
		switch i % 5 {
		case 0:
			contest(&r, false, ".spec.replicas", autoscaler, &autoscaled, int64(7), int64(2))
		case 1:
			configure(
				&r,
				`.spec.template.spec.containers[name="main"].image`,
				"registry.example/web:1",
				"registry.example/web:2",
			)
		}
		out = append(out, r)
	}
	return out
}

// Two groups of one manager, with the same option for other reasons, have one
// command.
func TestCommandIsSaidOnce(t *testing.T) {
	there := conflict.Conflict{Recommended: conflict.StopManaging, Because: conflict.Reason{Kind: conflict.ThereAlready}}
	first, second := chartObject(0, "v1", "ConfigMap", "a"), chartObject(1, "v1", "ConfigMap", "b")
	contest(&first, false, ".data.log", helmUpdates, &inHelmsManifest, "debug", "info")
	contest(&second, false, ".data.size", helmUpdates, &there, "1", "1000m")
	got := screen(t, report.New(golden.RunOf("v1.36.3"), []report.Result{first, second}), Options{})
	for text, want := range map[string]int{"wned by helm (Update): ": 2, "--owned-by=helm --all-stop-managing": 1} {
		if n := strings.Count(got, text); n != want {
			t.Errorf("%q is there %d times, want %d:\n%s", text, n, want, got)
		}
	}
}

// The command that leaves fields to their owner is about the subresource that was
// applied.
func TestLeavingNamesTheSubresource(t *testing.T) {
	first, second := chartObject(0, "apps/v1", "Deployment", "a"), chartObject(1, "apps/v1", "Deployment", "b")
	for _, r := range []*report.Result{&first, &second} {
		r.Target.Subresource = "status"
		contest(
			r,
			true,
			".status.observedGeneration",
			report.Writer{Manager: "kube-controller-manager", Operation: "Update", Subresource: "status", APIVersion: "apps/v1"},
			nil,
			int64(3),
			int64(2),
		)
	}
	got := screen(t, report.New(golden.RunOf("v1.36.3"), []report.Result{first, second}), Options{})
	want := "ssactl resolve -f chart.yaml --live=live.yaml --subresource=status --field-manager=argocd-controller --owned-by=kube-controller-manager --all-stop-managing --write\n"
	if !strings.Contains(got, want) {
		t.Errorf("no %s in\n%s", want, got)
	}
}
