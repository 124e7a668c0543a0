package writes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/report"
)

func modified(field string, before, after any) report.Change {
	return report.Change{Field: field, Kind: report.Modified, Before: before, After: after}
}

// changeRows are the rows of the changes of a run.
func changeRows(w *Run) []string {
	var out []string
	for _, row := range w.changeTable().Rows {
		var cells []string
		for _, cell := range full(row) {
			if cell.String() != "" {
				cells = append(cells, cell.String())
			}
		}
		out = append(out, strings.Join(cells, " | "))
	}
	return out
}

// TestChangesByWeight: what may do harm comes first, whatever the order of the objects.
func TestChangesByWeight(t *testing.T) {
	removed := modified(".spec.paused", true, nil)
	removed.Kind = report.Removed
	defaulted := modified(".spec.template.spec.containers[name=\"a\"].image", nil, "b")
	defaulted.Kind, defaulted.Reason = report.Added, report.ReasonDefaulted
	got := changeRows(runOf(
		options(),
		applied(
			"Deployment", "a", modified(".metadata.labels.team", "a", "b"), modified(".data.a", "a", "b"),
			defaulted,
			modified(
				".spec.minReadySeconds",
				int64(1),
				int64(2),
			),
			modified(`.spec.template.spec.containers[name="a"].image`, "a", "b"),
			modified(".spec.replicas", int64(1), int64(2)),
		),
		applied("ValidatingWebhookConfiguration", "v", modified(`.webhooks[name="a"].failurePolicy`, "Ignore", "Fail")),
		applied(
			"NetworkPolicy", "n", modified(".spec.policyTypes", "a", "b"),
			modified(".spec.podSelector.matchLabels.a", "a", "b"),
		),
		applied("Role", "r", modified(".rules", "a", "b")),
		applied("Job", "j", removed),
	))
	want := []string{
		"job/j | .spec.paused | true -> (removed)",
		"role/r | .rules | a -> b",
		"networkpolicy/n | .spec.podSelector.matchLabels.a | a -> b",
		`validatingwebhookconfiguration/v | .webhooks[name="a"].failurePolicy | Ignore -> Fail`,
		"networkpolicy/n | .spec.policyTypes | a -> b",
		"deployment/a | .spec.replicas | 1 -> 2",
		`deployment/a | .spec.template.spec.containers[name="a"].image | a -> b`,
		"deployment/a | .spec.minReadySeconds | 1 -> 2",
		"deployment/a | .data.a | a -> b",
		"deployment/a | .metadata.labels.team | a -> b",
		`deployment/a | .spec.template.spec.containers[name="a"].image | (not set) -> b`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestChangesFold: equal changes are one row, of whatever kinds; of many that differ, those of
// data and of the rest of a spec are one a kind, and images and the like only where there are
// more rows than fit. Asked for all, each has its row.
func TestChangesFold(t *testing.T) {
	image := func(to string) report.Change { return modified(".spec.image", "a", to) }
	var equal, dashboards, images []report.Result
	for i := range 6 {
		name := fmt.Sprint("o", i)
		equal = append(equal, applied([]string{"Deployment", "StatefulSet"}[i%2], name, image("b")))
		dashboards = append(dashboards, applied("ConfigMap", name, modified(".data.d"+name, "1", name)))
	}
	for i := range 50 {
		images = append(
			images,
			applied("Deployment", fmt.Sprint("o", i), image(fmt.Sprint("b", i)), modified(".spec.x", "a", i)),
		)
	}
	images = append(images, applied("Role", "r", modified(".rules", "a", "b")))
	for name, tt := range map[string]struct {
		results []report.Result
		want    []string
	}{
		"equal": {equal, []string{"3 Deployments, 3 StatefulSets | .spec.image | a -> b"}},
		"data":  {dashboards, []string{`6 ConfigMaps | .data | "1" -> o0, …`}},
		"more than fit": {images, []string{"role/r | .rules | a -> b", "50 Deployments | .spec.image | a -> b0, …",
			"50 Deployments | .spec.x | a -> 0, …"}},
	} {
		if diff := cmp.Diff(tt.want, changeRows(runOf(options(), tt.results...))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	o := options()
	o.Verbose = true
	if got := changeRows(runOf(o, images...)); len(got) != 101 {
		t.Errorf("%d rows of 101 changes", len(got))
	}
}

// TestShortField: a long path keeps its root and its end.
func TestShortField(t *testing.T) {
	for field, want := range map[string]string{
		".spec.replicas": ".spec.replicas",
		`.spec.template.spec.containers[name="api"].image`:                   `.spec…spec.containers[name="api"].image`,
		`.spec.template.spec.containers[name="api"].env[name="LEVEL"].value`: `.spec…env[name="LEVEL"].value`,
	} {
		if got := shortField(field); got != want {
			t.Errorf("%s: %s, want %s", field, got, want)
		}
	}
}
