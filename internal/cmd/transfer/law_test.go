package transfer

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/lab"
)

// owning are entries: the law takes each one and each two.
var owning = []string{
	former, both,
	"a Update lab/v1 .: spec/mode spec/size",
	"kubectl Update lab/v1 .: spec/mode spec/replicas",
	"kubectl-client-side-apply Update lab/v1 .: metadata/annotations/annotation spec/mode spec/replicas spec/size",
	"kubectl-edit Update lab/v1 .: spec/mode",
}

// combined are gadgets with one or two of the entries; those with an entry of a client-side
// apply have its annotation.
func combined() map[string]map[string]any {
	out := map[string]map[string]any{}
	for i, first := range owning {
		for _, second := range append([]string{""}, owning[i+1:]...) {
			entries := slices.DeleteFunc([]string{first, second}, func(e string) bool { return e == "" })
			live := lab.Gadget(entries...)
			if strings.Contains(first+second, "annotation") {
				live["metadata"].(map[string]any)["annotations"] = map[string]any{
					client.LastApplied: `{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"mode":"fast","replicas":2,"size":5}}`,
				}
			}
			out[strings.Join(entries, " and ")] = live
		}
	}
	return out
}

// sent is what a step leaves of an object, as kubectl sends it.
func sent(t *testing.T, s Step, state map[string]any) report.Result {
	t.Helper()
	w := engine.Write{Kind: gadgets, Name: "g", Manager: s.Manager, Force: s.Force, Subresource: s.Subresource}
	var body []byte
	var err error
	if s.Kind == Patch {
		w.Verb = api.JSONPatch
		body, err = json.Marshal(s.Patch)
	} else {
		w.Verb = api.Apply
		body, err = json.Marshal(s.Manifest)
	}
	if err != nil {
		t.Fatal(err)
	}
	w = w.WithBody(body, nil).On(state)
	first := engine.Simulate(t.Context(), lab.Server{}, w)
	if s.Kind == Patch {
		return first
	}
	return client.KubectlAfter(t.Context(), lab.Server{}, w, first).Whole()
}

// TestPlansSurviveTheirClient: the steps of a plan, sent as kubectl sends them, lose no
// field that the plan does not name, and in the end the fields have changed hands.
func TestPlansSurviveTheirClient(t *testing.T) {
	chosen := map[OptionKind]int{}
	for name, live := range combined() {
		from := map[string]bool{}
		for _, e := range managedfields.Of(live).Readable() {
			from[e.Manager] = true
		}
		for manager := range from {
			for _, to := range []string{"b", "kubectl"} {
				manifests := []*Manifest{nil}
				if manager == "a" {
					// One that has dropped what the manager applied.
					manifests = append(
						manifests,
						appliedManifest(`{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"mode":"fast"}}`),
					)
				}
				for _, manifest := range manifests {
					p := planned(live, func(q *Request) { q.From, q.To, q.FromManifest = manager, to, manifest })
					if p.Chosen == "" {
						continue
					}
					chosen[p.Chosen]++
					t.Run(
						fmt.Sprintf("%s from %s to %s, manifest %t", name, manager, to, manifest != nil),
						func(t *testing.T) { survives(t, p, live) },
					)
				}
			}
		}
	}
	for _, kind := range []OptionKind{ShareThenDrop, DropOnly, MigrateOnly} {
		if chosen[kind] == 0 {
			t.Errorf("no plan is %s: %v", kind, chosen)
		}
	}
}

func survives(t *testing.T, p Plan, live map[string]any) {
	t.Helper()
	state, named := live, map[string]bool{}
	for i, s := range p.Options[0].Steps {
		r := sent(t, s, state)
		if r.Outcome != s.Outcome || r.Object == nil {
			t.Fatalf("step %d of %s: %s, planned %s: %s", i+1, p.Chosen, r.Outcome, s.Outcome, r.Error)
		}
		state = r.Object
		for _, c := range s.Also {
			named[c.Field] = true
		}
		for key, was := range live["spec"].(map[string]any) {
			field := ".spec." + key
			changes := !reflect.DeepEqual(was, fieldtree.Value(state, "spec", key))
			handed := s.Meant && field == p.Fields[0].Field
			if also := slices.ContainsFunc(s.Also, func(c report.Change) bool { return managedfields.Within(c.Field, field) }); changes &&
				!handed &&
				!also &&
				!named[field] {
				t.Errorf(
					"step %d of %s changes %s, which it does not name, to %v",
					i+1,
					p.Chosen,
					field,
					fieldtree.Value(state, "spec", key),
				)
			}
		}
	}
	var owners []string
	for _, e := range managedfields.Of(state).Covering()(mode) {
		owners = append(owners, e.Manager)
	}
	if slices.Contains(owners, p.From) || !slices.Contains(owners, p.To) {
		t.Errorf("%s ends with the owners %v", p.Chosen, owners)
	}
}
