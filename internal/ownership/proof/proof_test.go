package proof

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
	"github.com/ssactl/ssactl/test/merging"
)

var server = merging.New()

func deployment(spec string) string {
	return "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {" + spec + "}}"
}

func applied(manager, spec string) merging.Writing {
	return merging.Writing{Verb: api.Apply, Manager: manager, Manifest: deployment(spec)}
}

func updated(manager, spec string) merging.Writing {
	return merging.Writing{Verb: api.Update, Manager: manager, Manifest: deployment(spec)}
}

// answer is a write with the findings on it; replicas that no manager owns any more become 1.
func answer(w engine.Write, scaled bool) report.Result {
	ctx := context.Background()
	r := engine.Simulate(ctx, server, w)
	for i, c := range r.Changes {
		if c.Field == replicas && c.Kind == report.Removed {
			r.Changes[i].Kind, r.Changes[i].After, r.Changes[i].Reason = report.Modified, int64(1), report.ReasonDefaulted
		}
	}
	claims := writers.Claims{}
	if scaled {
		claims.Add(
			schema.GroupKind{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"},
			"shop",
			map[string]any{
				"metadata": map[string]any{"name": "web"},
				"spec":     map[string]any{"scaleTargetRef": map[string]any{"kind": "Deployment", "name": "web"}},
			},
		)
	}
	r = conflict.Advise(ctx, server, w, r, conflict.Judges{})
	r.Risks = risk.Of(r, claims, risk.Counts{})
	r.Findings = append(conflict.Findings(r), risk.Findings(r)...)
	return r
}

// shown are the findings with the fixes that edit something.
func shown(list []report.Finding) []string {
	var out []string
	for _, f := range list {
		line := f.Rule + " " + f.Field
		for _, fix := range f.Fixes {
			if followable(fix.Edit) {
				line += fmt.Sprintf(", %s %t", fix.Edit, fix.Proven)
			}
		}
		if strings.HasPrefix(f.Why.String(), "No fix holds") {
			line += ", none holds"
		}
		out = append(out, line)
	}
	return out
}

func TestProve(t *testing.T) {
	for _, test := range []struct {
		name     string
		writes   []merging.Writing
		manager  string
		force    bool
		scaled   bool
		manifest string
		want     []string
	}{
		{"what an autoscaler owns is removed",
			[]merging.Writing{applied("argocd-controller", "minReadySeconds: 1"), updated("kube-controller-manager", "minReadySeconds: 1, replicas: 7")},
			"argocd-controller", true, true, "minReadySeconds: 1, replicas: 3",
			[]string{"replicas-autoscaled .spec.replicas, StopManaging true"}},
		{"what the applier alone owns is handed over first",
			[]merging.Writing{applied("argocd-controller", "minReadySeconds: 1, replicas: 3")},
			"argocd-controller", true, true, "minReadySeconds: 2, replicas: 3",
			[]string{"replicas-autoscaled .spec.replicas, HandOver true"}},
		{"a conflict with a person is forced",
			[]merging.Writing{applied("ci", "minReadySeconds: 1"), updated("kubectl-edit", "minReadySeconds: 5")},
			"ci", false, false, "minReadySeconds: 1",
			[]string{"conflict .spec.minReadySeconds, Force true"}},
		{"a conflict with a controller is left to it",
			[]merging.Writing{applied("ci", "minReadySeconds: 1"), updated("some-controller", "minReadySeconds: 5")},
			"ci", false, false, "minReadySeconds: 1",
			[]string{"conflict .spec.minReadySeconds, StopManaging true"}},
	} {
		w := engine.Write{
			Verb: api.Apply, Kind: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, Namespace: "shop", Name: "web",
			Manager: test.manager, Force: test.force, Body: merging.JSON(t, deployment(test.manifest)), Live: server.Object(t, test.writes...),
			Now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
		}
		r := answer(w, test.scaled)
		p := Prover{
			Write: w, Shape: managedfields.ShapeOf(server.Types(w.Kind).ParseableType), Forces: test.force,
			Ask: func(w engine.Write) report.Result { return answer(w, test.scaled) },
		}
		if diff := cmp.Diff(test.want, shown(p.Prove(r, r.Findings))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// finding is one on a field with values, and a fix.
func onField(field string, before, after any, edit report.Edit) report.Finding {
	return report.Finding{
		Rule:     "conflict",
		Severity: report.SeverityError,
		Field:    field,
		Before:   before,
		After:    after,
		Fixes:    []report.Fix{{Edit: edit}},
	}
}

// TestJudgement: what makes a fix that was followed one that does not hold.
func TestJudgement(t *testing.T) {
	const field = ".spec.replicas"
	change := func(field string, kind report.ChangeKind) report.Change {
		return report.Change{Field: field, Kind: kind, After: int64(1)}
	}
	said := func(message string) report.Result {
		return report.Result{Findings: []report.Finding{
			{Rule: "server-warning", Severity: report.SeverityWarning, Message: text.New("%v", text.Said(message))}}}
	}
	before := report.Result{
		Changes: []report.Change{change(".spec.paused", report.Modified)},
		Findings: append(said("old").Findings,
			report.Finding{Rule: "taken-by-force", Severity: report.SeverityWarning, Field: ".spec.paused"}),
	}
	for _, test := range []struct {
		name                string
		edit                report.Edit
		after               report.Result
		stays, worse, moves bool
	}{
		{name: "nothing", edit: report.EditStop},
		{name: "the finding stays", edit: report.EditStop, after: report.Result{Findings: []report.Finding{onField(field, nil, nil, "")}}, stays: true, worse: true},
		{name: "what was there before", edit: report.EditStop, after: before},
		{name: "a new warning", edit: report.EditStop, after: report.Result{Findings: []report.Finding{{Rule: "removed-with-others", Severity: report.SeverityWarning, Field: ".spec.x"}}}, worse: true},
		{name: "a new note", edit: report.EditStop, after: report.Result{Findings: []report.Finding{{Rule: "dropped-stays", Severity: report.SeverityNote, Field: ".spec.x"}}}},
		{name: "force takes the field", edit: report.EditForce, after: report.Result{Findings: []report.Finding{{Rule: "taken-by-force", Severity: report.SeverityWarning, Field: field}}}},
		{name: "force takes it from one that sets it back", edit: report.EditForce, after: report.Result{Findings: []report.Finding{{Rule: "taken-by-force", Severity: report.SeverityError, Field: field}}}, worse: true},
		{name: "a warning of the server that was there", edit: report.EditStop, after: said("old")},
		{name: "a new warning of the server", edit: report.EditStop, after: said("new"), worse: true},
		{name: "the field falls back", edit: report.EditStop, after: report.Result{Changes: []report.Change{change(field, report.Modified)}}, moves: true},
		{name: "force changes the field", edit: report.EditForce, after: report.Result{Changes: []report.Change{change(field, report.Modified)}}},
		{name: "another field goes", edit: report.EditShare, after: report.Result{Changes: []report.Change{change(".spec.x", report.Removed)}}, moves: true},
		{name: "it only counts", edit: report.EditShare, after: report.Result{Changes: []report.Change{change(".metadata.generation", report.Modified)}}},
	} {
		j := judgement{finding: onField(field, nil, nil, test.edit), edit: test.edit, before: before, after: test.after}
		if j.stays() != test.stays || j.worse().IsZero() == test.worse || j.moves().IsZero() == test.moves {
			t.Errorf("%s: stays %t, worse %q, moves %q", test.name, j.stays(), j.worse(), j.moves())
		}
	}
}

// TestRespelled: values that differ in what is empty are one.
func TestRespelled(t *testing.T) {
	for _, test := range []struct {
		before, after any
		want          bool
	}{
		{[]any{map[string]any{"name": "a", "resources": map[string]any{}}}, []any{map[string]any{"name": "a"}}, true},
		{map[string]any{"a": false, "b": ""}, map[string]any{"b": ""}, true},
		{map[string]any{"a": int64(1)}, map[string]any{"b": ""}, false},
		{int64(3), int64(4), false},
		{"a", nil, false},
	} {
		if got := respelled(onField(".x", test.before, test.after, "")); got != test.want {
			t.Errorf("%v and %v: %t", test.before, test.after, got)
		}
	}
}

// TestGuts: a list or a map with something in it is not taken out of a manifest.
func TestGuts(t *testing.T) {
	kind := schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	p := Prover{Shape: managedfields.ShapeOf(server.Types(kind).ParseableType)}
	p.body = map[string]any{"spec": map[string]any{"paused": true, "template": map[string]any{"spec": map[string]any{
		"tolerations": []any{}, "containers": []any{map[string]any{"name": "a", "args": []any{"x"}}}}}}}
	paths := conflict.Paths(p.Shape, p.body)
	for field, loses := range map[string]bool{
		".spec": true, ".spec.paused": false, ".spec.template.spec.containers": true, ".spec.template.spec.tolerations": false,
		`.spec.template.spec.containers[name="a"].args`: true,
	} {
		path := paths[field]
		if path == nil {
			t.Errorf("no path %s", field)
			continue
		}
		if why := p.guts(path); why.IsZero() == loses {
			t.Errorf("%s: %q", field, why)
		}
	}
}
