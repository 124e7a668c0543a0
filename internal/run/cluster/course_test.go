package cluster

import (
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
)

// pairAt is the pair of a manifest, as the one of a number among all.
func pairAt(number int, kind, name string) Pair {
	source := manifest.Source{File: "all.yaml", Document: number + 1}
	return Pair{
		Document: manifest.Document{Identity: manifest.Identity{APIVersion: "v1", Kind: kind, Name: name}, Source: source},
		Key:      live.Key{Kind: kind, Namespace: "shop", Name: name},
		Number:   number,
	}
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
		"nothing":                   {pair: pairAt(1, "Widget", "w")},
		"its definition before":     {together: together{definitions: map[schema.GroupKind]placed{kind: at(0)}}, pair: pairAt(1, "Widget", "w"), want: "its CustomResourceDefinition comes first in this run (all.yaml, document 1)"},
		"its definition behind":     {together: together{definitions: map[schema.GroupKind]placed{kind: at(2)}}, pair: pairAt(1, "Widget", "w"), want: "its CustomResourceDefinition comes later in this run (all.yaml, document 3)"},
		"another definition":        {together: together{redefined: map[schema.GroupKind]placed{kind: at(0)}}, pair: pairAt(1, "Widget", "w"), want: "is changed by this run (all.yaml, document 1)"},
		"it behind, but sent first": {together: together{definitions: map[schema.GroupKind]placed{kind: at(2)}, places: []int{2, 1, 0}}, pair: pairAt(1, "Widget", "w"), want: "its CustomResourceDefinition comes first in this run (all.yaml, document 3)"},
		"another definition behind": {together: together{redefining: map[schema.GroupKind]placed{kind: at(2)}}, pair: pairAt(1, "Widget", "w"), result: report.Result{Outcome: report.Invalid}, want: "is changed later in this run (all.yaml, document 3)"},
		"it behind, not refused":    {together: together{redefining: map[schema.GroupKind]placed{kind: at(2)}}, pair: pairAt(1, "Widget", "w"), result: report.Result{Outcome: report.Unchanged}},
		"its namespace behind":      {together: together{namespaces: map[string]placed{"shop": at(2)}}, pair: pairAt(1, "Widget", "w"), result: report.Result{Code: http.StatusNotFound}, want: "its Namespace comes later"},
		"its namespace before":      {together: together{namespaces: map[string]placed{"shop": at(0)}}, pair: pairAt(1, "Widget", "w")},
		"a policy that warned":      {together: together{judges: []judge{{at(0), "ValidatingAdmissionPolicy", "p"}}}, pair: pairAt(1, "Widget", "w"), result: report.Result{Warnings: []string{"ValidatingAdmissionPolicy 'p' says no"}}, want: `the ValidatingAdmissionPolicy "p" comes first in this run`},
		"a policy behind":           {together: together{judges: []judge{{at(2), "ValidatingAdmissionPolicy", "p"}}}, pair: pairAt(1, "Widget", "w"), result: report.Result{Warnings: []string{"ValidatingAdmissionPolicy 'p' says no"}}},
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
	served := Served{Server: uncounted{}}
	for name, c := range map[string]struct {
		world    *World
		oneByOne bool
		want     int
	}{
		"up to a namespace": {world: &World{Served: served, kinds: kinds}, want: 2},
		"a dry run":         {world: &World{Served: served, kinds: kinds, dryRun: true}, want: 3},
		"one by one":        {world: &World{Served: served, kinds: kinds}, oneByOne: true, want: 1},
		"up to parameters":  {world: &World{Served: served, kinds: kinds, parameters: kinds}, want: 1},
	} {
		in := course{world: c.world, oneByOne: c.oneByOne}
		if got := in.Stretch(pairs); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// TestInRun: pairs are asked about as they are sent, where one decides about others, and
// with those that nobody names where these do.
func TestInRun(t *testing.T) {
	manifests := []manifest.Document{
		{Identity: manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Name: "a", Namespace: "shop"}},
		{Identity: manifest.Identity{APIVersion: "v1", Kind: "Namespace", Name: "shop"}},
		{Identity: manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Name: "b", Namespace: "shop"}},
	}
	for name, c := range map[string]struct {
		manifests []manifest.Document
		places    []int
		wanted    []input.ObjectName
		dryRun    bool
		want      string
	}{
		"as they are":             {manifests: manifests, want: "a shop b"},
		"as they are sent":        {manifests: manifests, places: []int{1, 0, 2}, want: "shop a b"},
		"where none decides":      {manifests: []manifest.Document{manifests[0], manifests[2]}, places: []int{1, 0}, want: "a b"},
		"with what one needs":     {manifests: manifests, wanted: []input.ObjectName{{Kind: "ConfigMap", Name: "b"}}, want: "shop? b"},
		"of a dry run":            {manifests: manifests, places: []int{1, 0, 2}, wanted: []input.ObjectName{{Kind: "ConfigMap", Name: "b"}}, dryRun: true, want: "b"},
		"with it, as it is sent":  {manifests: manifests, places: []int{0, 2, 1}, wanted: []input.ObjectName{{Kind: "ConfigMap", Name: "b"}}, want: "b shop?"},
		"one that decides itself": {manifests: manifests, wanted: []input.ObjectName{{Kind: "Namespace", Name: "shop"}}, want: "shop"},
	} {
		w := &World{
			flags:  &input.Flags{Purpose: input.Purpose{InOrder: true, Wanted: c.wanted}},
			Live:   live.New(live.Options{}),
			Inputs: Inputs{Manifests: c.manifests},
			Served: Served{Server: uncounted{}},
			kinds:  KindsOf(c.manifests),
			dryRun: c.dryRun,
		}
		w.Scope = &Scope{served: w.Server}
		in := course{world: w, together: together{places: c.places}}
		var got []string
		for _, p := range in.InRun(w.Pairs()) {
			text := p.Document.Name
			if p.Unasked {
				text += "?"
			}
			got = append(got, text)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}
