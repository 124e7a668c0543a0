package rules_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ssactl/ssactl/internal/cmd/audit/rules"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

func configMap(name, entries string) string {
	return `{apiVersion: v1, kind: ConfigMap, metadata: {name: ` + name + `, uid: u-` + name + `, namespace: shop, managedFields: [` + entries + `]}, data: {a: "1"}}`
}

func entry(manager, operation, at string) string {
	return `{manager: ` + manager + `, operation: ` + operation + `, apiVersion: v1, time: "` + at + `", fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:a": {}}}}`
}

func TestStaleManagers(t *testing.T) {
	server := newScripted(t)
	gone := server.object(
		t,
		configMap(
			"gone",
			entry(
				"node-fetch",
				"Update",
				"2024-01-31T12:00:00Z",
			)+","+entry(
				"lens-plugin",
				"Update",
				"2024-01-31T12:00:00Z",
			)+","+entry(
				"other",
				"Apply",
				"2026-01-01T00:00:00Z",
			),
		),
	)
	elsewhere := server.object(t, configMap("elsewhere", entry("lens-plugin", "Update", "2026-01-01T00:00:00Z")))
	quiet := server.object(t, configMap("quiet", entry("custom-tool", "Update", "2024-01-01T00:00:00Z")))
	want := []string{
		"warning stays-when-dropped: other applies .data.a, and node-fetch (Update) owns it too: dropped from the manifest, it stays",
	}
	if diff := cmp.Diff(want, lines(conclude(t, server, gone, elsewhere, quiet).Findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	want = append(
		want,
		"note stale-manager: lens-plugin (Update) wrote last on 2024-01-31, 731 days ago, here and everywhere in these files, and still owns 1 field",
	)
	if diff := cmp.Diff(want, lines(conclude(t, server, gone, quiet).Findings)); diff != "" {
		t.Errorf("findings without the other object (-want +got):\n%s", diff)
	}
}

func TestFilesWithoutManagedFields(t *testing.T) {
	server := newScripted(t)
	one, two := server.object(t, configMap("one", "")), server.object(t, configMap("two", ""))
	doc := conclude(t, server, one, two)
	want := []string{
		"warning managed-fields-missing: none of the 2 objects of this file has managedFields: they were fetched without --show-managed-fields",
	}
	if diff := cmp.Diff(want, lines(doc.Findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if f := doc.Findings[0]; f.Target != (report.Target{}) || f.Source != (report.Source{File: "dump.yaml"}) ||
		f.Fixes[0].Command.String() != "kubectl get --namespace=shop --output=yaml --show-managed-fields -- all" {
		t.Errorf("the finding on the file is %+v", f)
	}
	metrics := server.object(
		t,
		`{apiVersion: metrics.k8s.io/v1beta1, kind: PodMetrics, metadata: {name: p, namespace: shop}}`,
	)
	tracked := server.object(t, configMap("tracked", entry("m", "Apply", "2026-01-01T00:00:00Z")))
	want = []string{
		"warning managed-fields-missing: the object has no managedFields, though others of the file have: its first apply gives all fields to before-first-apply",
	}
	if diff := cmp.Diff(want, lines(conclude(t, server, one, tracked, metrics).Findings)); diff != "" {
		t.Errorf("findings beside a tracked object (-want +got):\n%s", diff)
	}
}

func TestReplicasUnderAnAutoscaler(t *testing.T) {
	server := newScripted(t)
	deployment := server.object(
		t,
		`{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, managedFields: [
		{manager: helm, operation: Apply, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:replicas": {}}}}]}, spec: {replicas: 3}}`,
	)
	scaler := func(namespace, name string) rules.Object {
		return server.object(
			t,
			`{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web-hpa, namespace: `+namespace+`, managedFields: [
			{manager: helm, operation: Apply, apiVersion: autoscaling/v2, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:maxReplicas": {}}}}]},
			spec: {maxReplicas: 9, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: `+name+`}}}`,
		)
	}
	want := []string{
		"warning replicas-autoscaled: helm applies .spec.replicas, which the HorizontalPodAutoscaler web-hpa sets",
	}
	if diff := cmp.Diff(want, lines(conclude(t, server, deployment, scaler("shop", "web")).Findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	for _, other := range []rules.Object{scaler("shop", "api"), scaler("other", "web")} {
		if found := conclude(t, server, deployment, other).Findings; len(found) > 0 {
			t.Errorf("with the autoscaler of another: %v", lines(found))
		}
	}
}

func TestLastAppliedValues(t *testing.T) {
	server := newScripted(t)
	server.reapply = report.Result{Outcome: report.Configured, Changes: []report.Change{
		{Field: ".data.a", Kind: report.Modified, Before: "1", After: "0", Reason: report.ReasonApplied},
		{Field: ".metadata.generation", Kind: report.Modified, Before: 1, After: 2, Reason: report.ReasonStrategy},
	}}
	text := `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":"0"}}'}, managedFields: [`
	for _, test := range []struct{ name, entry, want string }{
		{"the object is still applied client-side", entry("kubectl-client-side-apply", "Update", "2026-01-01T00:00:00Z"),
			`note last-applied-drift: .data.a is "0" in the last-applied annotation, and "1" live (owned by kubectl-client-side-apply (Update))`},
		{"the object is applied server-side", entry("argocd-controller", "Apply", "2026-01-01T00:00:00Z"),
			`warning last-applied-stale: .data.a is "0" in the last-applied annotation, and "1" live (owned by argocd-controller (Apply))`},
	} {
		doc := conclude(t, server, server.object(t, text+test.entry+`]}, data: {a: "1"}}`))
		if diff := cmp.Diff([]string{test.want}, lines(doc.Findings)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	// What the server stores is one value though it is spelt otherwise.
	server.reapply.Changes = nil
	doc := conclude(
		t,
		server,
		server.object(t, text+entry("argocd-controller", "Apply", "2026-01-01T00:00:00Z")+`]}, data: {a: "1"}}`),
	)
	if len(doc.Findings) > 0 {
		t.Errorf("found %v where nothing would change", lines(doc.Findings))
	}
}

func TestManifests(t *testing.T) {
	server := newScripted(t)
	line := &report.Source{File: "c.yaml", Document: 1, Line: 7}
	for _, test := range []struct {
		name   string
		result report.Result
		want   []string
		line   int
	}{{
		name: "a conflict",
		result: report.Result{Outcome: report.Conflicted, Conflicts: []report.Conflict{
			{Field: ".data.a", Writer: report.Writer{Manager: "hpa", Operation: "Update", Subresource: "scale"}, Live: "1", Applied: "2", Source: line}}},
		want: []string{`error conflict: me conflicts with hpa (Update of scale) over .data.a: the manifest has "2", live is "1"`},
		line: 7,
	}, {
		name:   "a refusal",
		result: report.Result{Outcome: report.Invalid, Code: 422, Status: &report.Status{Message: "spec is immutable", Reason: "Invalid"}},
		want:   []string{"error refused: applying the manifest as me is refused with 422 Invalid: spec is immutable"},
		line:   1,
	}, {
		name: "fields that go, and fields that stay",
		result: report.Result{Outcome: report.Configured,
			Changes:   []report.Change{{Field: ".data.b", Kind: report.Removed, Reason: report.ReasonUnowned}, {Field: ".data.d", Kind: report.Removed, Reason: report.ReasonStrategy}},
			Ownership: []report.FieldOwners{{Field: ".data.c", Managers: []report.Writer{{Manager: "helm", Operation: "Update"}}}},
			Transfers: []report.Transfer{
				{Field: ".data.c", Manager: "me", Operation: "Apply", Kind: report.Relinquished},
				{Field: ".data.e", Manager: "me", Operation: "Apply", Kind: report.Relinquished}},
		},
		want: []string{
			"warning apply-keeps-dropped: the manifest of me no longer has .data.c, but helm (Update) keeps it",
			"warning apply-removes: the next apply by me removes .data.b",
		},
		line: 1,
	}, {
		name: "what an accepted apply does",
		result: report.Result{Outcome: report.Configured,
			Changes:   []report.Change{{Field: ".data.a", Kind: report.Modified, Before: "1", After: "2"}},
			Ownership: []report.FieldOwners{{Field: ".data.c", Managers: []report.Writer{{Manager: "helm", Operation: "Update"}}}},
			Transfers: []report.Transfer{{Field: ".data.c", Manager: "me", Operation: "Apply", Kind: report.Relinquished}},
			Risks: []report.Finding{
				{Rule: risk.TakenByForce, Severity: report.SeverityError, Field: ".data.a", Message: text.New("the field is taken"), Source: *line},
				{Rule: risk.DeletesMore, Severity: report.SeverityWarning, Message: text.New("it runs again")},
				{Rule: risk.NotApplied, Severity: report.SeverityWarning, Field: ".data.b", Message: text.New("it is not sent")},
				{Rule: risk.DroppedStays, Severity: report.SeverityNote, Field: ".data.c", Message: text.New("it stays")},
				{Rule: report.RuleForbiddenOwner, Severity: report.SeverityError, Field: ".data.d", Message: text.New("said of the live object")},
			}},
		want: []string{
			`error taken-by-force: .data.a: the field is taken: "1" becomes "2"`,
			"warning deletes-more: it runs again",
			"warning not-applied: .data.b: it is not sent",
			"note dropped-stays: .data.c: it stays",
		},
		line: 7,
	}, {
		name: "a refusal after a deletion",
		result: report.Result{Outcome: report.Invalid, Code: 422, Status: &report.Status{Message: "no", Reason: "Invalid"}, Deleted: true,
			Risks: []report.Finding{{Rule: risk.DeletesMore, Severity: report.SeverityError, Message: text.New("it stays deleted")}}},
		want: []string{"error refused: applying the manifest as me is refused with 422 Invalid: no", "error deletes-more: it stays deleted"},
		line: 1,
	}} {
		t.Run(test.name, func(t *testing.T) {
			o := server.object(t, configMap("c", entry("helm", "Update", "2026-01-01T00:00:00Z")))
			test.result.Manager, test.result.Source = "me", report.Source{File: "c.yaml", Document: 1, Line: 1}
			o.Manifest = &test.result
			doc := conclude(t, server, o)
			if diff := cmp.Diff(test.want, lines(doc.Findings)); diff != "" {
				t.Fatalf("findings (-want +got):\n%s", diff)
			}
			if at := doc.Findings[0].Source; at.File != "c.yaml" || at.Line != test.line {
				t.Errorf("the finding is at %+v, want c.yaml:%d", at, test.line)
			}
		})
	}
}

func TestSuppressions(t *testing.T) {
	server := newScripted(t)
	old := server.object(
		t,
		`{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, annotations: {ssactl.dev/audit-ignore: "ports-*, stays-when-dropped"}, managedFields: [
		{manager: helm, operation: Apply, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:replicas": {}, "f:paused": {}}}},
		{manager: kubectl-create, operation: Update, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:replicas": {}}}}]}, spec: {replicas: 1}}`,
	)
	untracked := server.object(t, configMap("c", ""))
	run := rules.Run{Settings: rules.Settings{Clock: testClock}, Suppressions: []finding.Suppression{
		{
			Rule:      "*",
			Kind:      "Deployment.apps",
			Namespace: "sh*",
			Field:     ".spec.*",
			Reason:    "known",
			Source:    report.Source{File: "s.yaml", Line: 2},
		},
		{Rule: "stale-manager", Source: report.Source{File: "s.yaml", Line: 3}},
		{Rule: "*", Kind: "ConfigMap", Expires: time.Date(2026, 1, 30, 0, 0, 0, 0, time.UTC)},
		{
			Rule:    "managed-fields-missing",
			Expires: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
			Source:  report.Source{File: "s.yaml", Line: 5},
		},
	}}
	for _, o := range []rules.Object{old, untracked} {
		run.Examined = append(run.Examined, rules.Examine(o, server, run.Settings))
	}
	doc := rules.Conclude(run)
	var got [][3]string
	for _, s := range doc.Suppressed {
		got = append(got, [3]string{s.Finding.Rule, s.By, s.Reason})
	}
	want := [][3]string{
		{"stays-when-dropped", "annotation ssactl.dev/audit-ignore", ""},
		{"managed-fields-missing", "s.yaml:5", ""},
		{"owned-field-missing", "s.yaml:2", "known"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("suppressed (-want +got):\n%s", diff)
	}
	if len(doc.Findings) > 0 {
		t.Errorf("told are %v", lines(doc.Findings))
	}
	var idle []string
	for _, i := range doc.IdleSuppressions {
		idle = append(idle, i.Suppression.Rule+" "+i.Why)
	}
	if diff := cmp.Diff([]string{"stale-manager fits no finding", "* expired on 2026-01-30"}, idle); diff != "" {
		t.Errorf("idle suppressions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(finding.Summary{Objects: 2, Suppressed: 3}, doc.Summary, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

// Objects that were not examined could prove wrong what the others seem to be
// together; what an autoscaler scales stays so.
func TestConcludeInterrupted(t *testing.T) {
	server := newScripted(t)
	run := rules.Run{
		Settings:     rules.Settings{Clock: testClock},
		Suppressions: []finding.Suppression{{Rule: "stale-manager"}},
		Run:          report.Run{Ending: report.Ending{Interrupted: &report.Interruption{Answered: 3, Total: 4}}},
	}
	for _, o := range []rules.Object{
		server.object(t, configMap("c", "")),
		server.object(t, `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: hpa, namespace: shop}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}}`),
		server.object(t, `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, managedFields: [
			{manager: helm, operation: Apply, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:replicas": {}}}}]}, spec: {replicas: 1}}`),
	} {
		server.claim(o)
		run.Examined = append(run.Examined, rules.Examine(o, server, run.Settings))
	}
	doc := rules.Conclude(run)
	want := []string{
		"warning replicas-autoscaled: helm applies .spec.replicas, which the HorizontalPodAutoscaler hpa sets",
	}
	if diff := cmp.Diff(want, lines(doc.Findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if len(doc.IdleSuppressions) > 0 || doc.Interrupted == nil {
		t.Errorf("%v, interrupted %v", doc.IdleSuppressions, doc.Interrupted)
	}
}

func TestSelection(t *testing.T) {
	s := finding.Selection{Only: []string{"last-applied-*"}, Skip: []string{"*-drift"}}
	if err := rules.Rules().Check(s); err != nil {
		t.Error(err)
	}
	for rule, want := range map[string]bool{"last-applied-stale": true, "last-applied-drift": false, "atomic-shared": false} {
		if got := s.Has(rule); got != want {
			t.Errorf("%s counts: %v, want %v", rule, got, want)
		}
	}
	if err := rules.Rules().Check(finding.Selection{Skip: []string{"no-such-*"}}); err == nil {
		t.Error("a pattern that fits no rule is taken")
	}
}

// What a tool left behind is one finding for all objects, with one migration; what a
// person did stays by object.
func TestLeftBehindInSeveral(t *testing.T) {
	server := newScripted(t)
	object := func(name, old string) rules.Object {
		return server.object(
			t,
			configMap(name, entry("argocd", "Apply", "2026-01-01T00:00:00Z")+","+entry(old, "Update", "2026-01-01T00:00:00Z")),
		)
	}
	for _, test := range []struct {
		name string
		olds []string
		want []string
		fix  string
	}{
		{"a tool", []string{"helm", "helm"}, []string{"warning stays-when-dropped: argocd applies 2 objects in which helm (Update) owns fields too: dropped from their manifests, they stay"},
			"ssactl migrate --from=helm --to=argocd"},
		{"one object", []string{"helm"}, []string{"warning stays-when-dropped: argocd applies .data.a, and helm (Update) owns it too: dropped from the manifest, it stays"},
			"ssactl migrate -f dump.yaml -n shop --from=helm --to=argocd -- configmap/c0"},
		{"two tools", []string{"helm", "kubectl-client-side-apply"}, []string{
			"warning stays-when-dropped: argocd applies .data.a, and helm (Update) owns it too: dropped from the manifest, it stays",
			"warning stays-when-dropped: argocd applies .data.a, and kubectl-client-side-apply (Update) owns it too: dropped from the manifest, it stays"},
			"ssactl migrate -f dump.yaml -n shop --from=helm --to=argocd -- configmap/c0"},
		{"nobody", []string{"before-first-apply", "before-first-apply"}, []string{"warning before-first-apply: before-first-apply owns fields of 2 objects that argocd applies: no client writes under this name"},
			"ssactl migrate --from=before-first-apply --to=argocd"},
		{"a person", []string{"kubectl-edit", "kubectl-edit"}, []string{
			"warning stays-when-dropped: argocd applies .data.a, and kubectl-edit (Update) owns it too: dropped from the manifest, it stays",
			"warning stays-when-dropped: argocd applies .data.a, and kubectl-edit (Update) owns it too: dropped from the manifest, it stays"},
			"ssactl clear -f dump.yaml -n shop --manager=kubectl-edit --operation=Update --subresource= -- configmap/c0"},
	} {
		var objects []rules.Object
		for i, old := range test.olds {
			objects = append(objects, object(fmt.Sprint("c", i), old))
		}
		found := conclude(t, server, objects...).Findings
		if diff := cmp.Diff(test.want, lines(found)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
			continue
		}
		if got := found[0].Fixes[0].Command.String(); got != test.fix {
			t.Errorf("%s: %s, want %s", test.name, got, test.fix)
		}
	}
}

// A field is reported once: what a conflict says of it, or a policy, a person's change does
// not say again; unless the other rule is not asked.
func TestOneFindingAField(t *testing.T) {
	server := newScripted(t)
	o := server.object(t, `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop, managedFields: [
		{manager: helm, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:a": {}}}},
		{manager: kubectl-edit, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:b": {}, "f:c": {}}}}]}, data: {a: "1", b: "1", c: "1"}}`)
	o.Manifest = &report.Result{Outcome: report.Conflicted, Manager: "helm", Conflicts: []report.Conflict{
		{Field: ".data.b", Writer: report.Writer{Manager: "kubectl-edit", Operation: "Update"}, Live: "1", Applied: "2"}}}
	conflicts := `error conflict: helm conflicts with kubectl-edit (Update) over .data.b: the manifest has "2", live is "1"`
	for _, test := range []struct {
		only []string
		want []string
	}{
		{nil, []string{conflicts, "note changed-by-hand: kubectl-edit (Update) alone owns .data.c of what helm manages"}},
		{[]string{"changed-by-hand"}, []string{"note changed-by-hand: kubectl-edit (Update) alone owns .data.b and .data.c of what helm manages"}},
	} {
		settings := rules.Settings{Clock: testClock, Selection: finding.Selection{Only: test.only}}
		run := rules.Run{Settings: settings, Examined: []rules.Examined{rules.Examine(o, server, settings)}}
		if diff := cmp.Diff(test.want, lines(rules.Conclude(run).Findings)); diff != "" {
			t.Errorf("only %v (-want +got):\n%s", test.only, diff)
		}
	}
}
