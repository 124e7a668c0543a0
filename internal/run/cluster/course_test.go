package cluster

import (
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
)

// pairAt is the pair of a manifest, as the one of a number among all.
func pairAt(number int, kind, name string) Pair {
	source := manifest.Source{File: "all.yaml", Document: number + 1}
	return Pair{Document: manifest.Document{Identity: manifest.Identity{APIVersion: "v1", Kind: kind, Name: name}, Source: source}, Key: live.Key{Kind: kind, Namespace: "shop", Name: name}, number: number}
}

// TestTogether: an answer says that it depends on what comes in the same run.
func TestTogether(t *testing.T) {
	at := func(n int) placed { return placed{manifest.Source{File: "all.yaml", Document: n + 1}, n} }
	kind := schema.GroupKind{Kind: "Widget"}
	for name, c := range map[string]struct {
		together together
		pair     Pair
		result   report.Result
		want     string
	}{
		"nothing":               {pair: pairAt(1, "Widget", "w")},
		"its definition before": {together: together{definitions: map[schema.GroupKind]placed{kind: at(0)}}, pair: pairAt(1, "Widget", "w"), want: "its CustomResourceDefinition comes first in this run (all.yaml, document 1)"},
		"its definition behind": {together: together{definitions: map[schema.GroupKind]placed{kind: at(2)}}, pair: pairAt(1, "Widget", "w"), want: "its CustomResourceDefinition comes later in this run (all.yaml, document 3)"},
		"another definition":    {together: together{redefined: map[schema.GroupKind]placed{kind: at(0)}}, pair: pairAt(1, "Widget", "w"), want: "is changed by this run (all.yaml, document 1)"},
		"its namespace behind":  {together: together{namespaces: map[string]placed{"shop": at(2)}}, pair: pairAt(1, "Widget", "w"), result: report.Result{Code: http.StatusNotFound}, want: "its Namespace comes later"},
		"its namespace before":  {together: together{namespaces: map[string]placed{"shop": at(0)}}, pair: pairAt(1, "Widget", "w")},
		"a policy that warned":  {together: together{judges: []judge{{at(0), "ValidatingAdmissionPolicy", "p"}}}, pair: pairAt(1, "Widget", "w"), result: report.Result{Warnings: []string{"ValidatingAdmissionPolicy 'p' says no"}}, want: `the ValidatingAdmissionPolicy "p" comes first in this run`},
		"a policy behind":       {together: together{judges: []judge{{at(2), "ValidatingAdmissionPolicy", "p"}}}, pair: pairAt(1, "Widget", "w"), result: report.Result{Warnings: []string{"ValidatingAdmissionPolicy 'p' says no"}}},
	} {
		got := strings.Join(c.together.notices(c.pair, c.result), "\n")
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// uncounted is a server whose namespaces have no quota.
type uncounted struct{ knowing }

func (uncounted) Counts(string) bool { return false }

// TestStretch: pairs are answered at once up to the first that those after it may look up.
func TestStretch(t *testing.T) {
	pairs := []Pair{pairAt(0, "ConfigMap", "a"), pairAt(1, "Namespace", "b"), pairAt(2, "ConfigMap", "c")}
	kinds := KindsOf([]manifest.Document{{Identity: manifest.Identity{APIVersion: "v1", Kind: "ConfigMap"}}})
	served := &Served{Server: uncounted{}}
	for name, c := range map[string]struct {
		course course
		want   int
	}{
		"up to a namespace": {course{served: served, kinds: kinds}, 2},
		"a dry run":         {course{served: served, kinds: kinds, dryRun: true}, 3},
		"one by one":        {course{served: served, kinds: kinds, oneByOne: true}, 1},
		"up to parameters":  {course{served: served, kinds: kinds, parameters: kinds}, 1},
	} {
		if got := c.course.Stretch(pairs); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
