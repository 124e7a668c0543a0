package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/cmd/transfer"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
	"github.com/ssactl/ssactl/test/sampled"
)

// TestTransferRecordedObjects hands a field of every recorded object over from
// each manager that owns it, to one that applies and to one that updates. What
// is called safe keeps the value until it is meant to change, and ends with the
// new owner alone of the two. Nearly every field has a safe plan, and each other
// says why it has none. Of the generated objects every eighth is looked at.
func TestTransferRecordedObjects(t *testing.T) {
	seen, plans, safe := map[string]bool{}, 0, 0
	hasLive := func(s parity.Step) bool { return len(s.LiveBefore) > 4 && !seen[string(s.LiveBefore)] }
	for _, pack := range []string{"public-handwritten.jsonl.gz", "public-generated.jsonl.gz"} {
		eachRecorded(t, pack, hasLive, func(name string, server *server.Server, step parity.Step, r api.Request) {
			seen[string(step.LiveBefore)] = true
			if pack == "public-generated.jsonl.gz" && len(seen)%8 != 0 {
				return
			}
			w := writeOf(r)
			w.Subresource = ""
			if kjson.Unmarshal(w.Live, &w.LiveObject) != nil {
				return
			}
			for manager, path := range ownedPaths(server, w) {
				for _, writes := range []transfer.Writes{transfer.ByApply, transfer.ByUpdate} {
					q := transfer.Request{
						Object:  w,
						Fields:  []fieldpath.Path{path},
						From:    manager,
						To:      "new-owner",
						Writes:  writes,
						Between: "in-between",
					}
					p := transfer.Make(context.Background(), server, q)
					plans++
					plan := name + " " + path.String() + " of " + manager
					if checkPlan(t, plan, p) {
						checkRun(t, plan, server, w, p)
						safe++
					}
				}
			}
		})
	}
	if !testing.Short() && (plans < 500 || safe*100 < plans*95) {
		t.Errorf("%d of %d plans are safe", safe, plans)
	}
	t.Logf("%d of %d plans are safe", safe, plans)
}

// ownedPaths is a leaf of each manager that the object has.
func ownedPaths(server *server.Server, w engine.Write) map[string]fieldpath.Path {
	shape := managedfields.ShapeOf(server.Types(w.Kind).ParseableType)
	out := map[string]fieldpath.Path{}
	for _, e := range managedfields.Of(w.LiveObject).Readable() {
		if e.Subresource != "" {
			continue
		}
		e.Set.Leaves().Iterate(func(p fieldpath.Path) {
			if found := shape.Lookup(w.LiveObject, p); len(found) == 1 && !managedfields.Untracked(p) {
				out[e.Manager] = p.Copy()
			}
		})
	}
	return out
}

// checkPlan reports whether a plan is safe, and checks that it says what it does.
func checkPlan(t *testing.T, name string, p transfer.Plan) bool {
	t.Helper()
	if p.Chosen == "" {
		if p.Message.IsZero() && p.Reason.IsZero() {
			t.Errorf("%s: no safe plan, and no reason", name)
		}
		if testing.Verbose() {
			t.Logf("%s: %s%s", name, p.Message, p.Reason)
		}
		return false
	}
	meant := false
	for i, s := range p.Options[0].Steps {
		if s.Does.IsZero() {
			t.Errorf("%s: step %d does not say what it is for: %+v", name, i+1, s)
		}
		if s.Outcome.Refused() {
			t.Errorf("%s: step %d of a safe plan is refused: %s", name, i+1, s.Message)
		}
		meant = meant || s.Meant
		if diff := gocmp.Diff(p.Fields[0].Value, s.States[0].Value); diff != "" && !meant {
			t.Errorf("%s: step %d changes the value (-before +after):\n%s", name, i+1, diff)
		}
	}
	checkEnd(t, name, p)
	return true
}

// checkEnd checks who owns the field after the last step.
func checkEnd(t *testing.T, name string, p transfer.Plan) {
	t.Helper()
	last := p.Options[0].Steps[len(p.Options[0].Steps)-1]
	has := !last.NotSimulated.IsZero()
	for _, o := range last.States[0].Owners {
		has = has || o.Manager == p.To
		if o.Manager != p.To && (o.Manager == p.FromThen || o.Manager == p.From) {
			t.Errorf("%s: %s still owns it in the end", name, o.Manager)
		}
	}
	if !has {
		t.Errorf("%s: %s does not own it in the end", name, p.To)
	}
}

// checkRun runs the steps of a safe plan literally: each kubectl apply with all requests
// that kubectl sends, each patch with its tests. No value changes without the plan
// saying so.
func checkRun(t *testing.T, name string, server *server.Server, w engine.Write, p transfer.Plan) {
	t.Helper()
	shape := managedfields.ShapeOf(server.Types(w.Kind).ParseableType)
	current := w.LiveObject
	for i, s := range p.Options[0].Steps {
		if s.Kind == transfer.ByItself {
			return
		}
		run := client.Kubectl(context.Background(), server, stepWrite(t, w, s).On(current))
		if refused, ok := run.Refused(); ok || run.First().Outcome.Refused() {
			t.Errorf("%s: step %d: the server refuses a request: %s", name, i+1, refused.Result.Answer().Message)
			return
		}
		for _, leaf := range engine.Difference(shape, current, run.Object()) {
			told := slices.ContainsFunc(s.Also, func(c report.Change) bool { return c.Field == leaf.Field })
			if leaf.Kind != report.Added && !told && !isMeant(p, leaf.Field) {
				t.Errorf("%s: step %d: %s is %s, and the plan does not say so", name, i+1, leaf.Field, leaf.Kind)
			}
		}
		current = run.Object()
	}
}

// isMeant reports whether a field is one of those that a plan is about, or what the
// server keeps of them.
func isMeant(p transfer.Plan, field string) bool {
	return field == ".metadata.generation" || field == ".apiVersion" ||
		field == ".metadata.annotations."+client.LastApplied ||
		slices.ContainsFunc(p.Fields, func(f transfer.State) bool {
			return managedfields.Within(field, f.Field) || managedfields.Within(f.Field, field)
		})
}

// stepWrite is the write of a step's file.
func stepWrite(t *testing.T, w engine.Write, s transfer.Step) engine.Write {
	t.Helper()
	w.Verb, w.Manager, w.Force, w.Subresource = api.Apply, s.Manager, s.Force, s.Subresource
	var body any = s.Manifest
	if s.Kind == transfer.Patch {
		w.Verb, body = api.JSONPatch, s.Patch
	} else if version, ok := s.Manifest["apiVersion"].(string); ok && s.Subresource == "" {
		gv, err := schema.ParseGroupVersion(version)
		if err != nil {
			t.Fatal(err)
		}
		w.Kind = gv.WithKind(w.Kind.Kind)
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return w.WithBody(text, nil)
}

// TestTransferMadeUpObjects is the law over objects that several clients wrote, most
// with a last-applied annotation that an Update entry owns: no plan that is called safe
// loses a value without saying so, when its steps are run as kubectl runs them.
func TestTransferMadeUpObjects(t *testing.T) {
	s, err := sharedServer(server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plans, safe, migrated := 0, 0, 0
	for seed := range 30 / sampled.Every(t, 6) {
		w := madeUp(t, s, rand.New(rand.NewPCG(uint64(seed), 1)))
		for manager, path := range dataPaths(w) {
			for _, to := range []string{"new-owner", "kubectl"} {
				name := fmt.Sprintf("%d: %s from %s to %s", seed, path, manager, to)
				p := transfer.Make(
					context.Background(),
					s,
					transfer.Request{Object: w, Fields: []fieldpath.Path{path}, From: manager, To: to, Between: "in-between"},
				)
				if manager == to {
					continue
				}
				plans++
				if !checkPlan(t, name, p) {
					continue
				}
				checkRun(t, name, s, w, p)
				safe++
				if strings.HasPrefix(p.Options[0].Steps[0].Does.String(), "the client-side entry") {
					migrated++
				}
			}
		}
	}
	if safe*10 < plans*9 || migrated*4 < plans {
		t.Errorf("of %d plans %d are safe, and %d migrate first", plans, safe, migrated)
	}
}

// dataPaths is a key of data for each manager that owns one.
func dataPaths(w engine.Write) map[string]fieldpath.Path {
	out := map[string]fieldpath.Path{}
	for _, o := range managedfields.Of(w.LiveObject).Paths() {
		for _, e := range o.By {
			if len(o.Path) == 2 && o.Path[0].String() == ".data" {
				out[e.Manager] = o.Path
			}
		}
	}
	return out
}

// madeUp is a ConfigMap after some writes of clients.
func madeUp(t *testing.T, s *server.Server, r *rand.Rand) engine.Write {
	t.Helper()
	w := engine.Write{Kind: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Namespace: "default", Name: "m"}
	var live map[string]any
	for _, manager := range []string{"kubectl-client-side-apply", "deployer", "web", "ops", "kubectl-edit"} {
		if live != nil && r.IntN(3) == 0 {
			continue
		}
		data := map[string]any{}
		for _, key := range "abcdef" {
			if r.IntN(3) == 0 {
				data[string(key)] = string(key)
			}
		}
		body := map[string]any{
			"apiVersion": "v1",
			"kind":       "ConfigMap",
			"metadata":   map[string]any{"name": "m", "namespace": "default"},
			"data":       data,
		}
		write := w
		switch write.Manager = manager; {
		case live == nil:
			write.Verb = api.Create
			body["metadata"].(map[string]any)["annotations"] = noted(body)
		case manager == "web" || manager == "ops":
			write.Verb, write.Force = api.Apply, true
		default:
			write.Verb = api.MergePatch
			if manager == "deployer" {
				body["metadata"].(map[string]any)["annotations"] = noted(body)
			}
		}
		write, err := write.On(live).Send(body)
		if err != nil {
			t.Fatal(err)
		}
		result := engine.Simulate(context.Background(), s, write)
		if result.Outcome.Refused() {
			t.Fatal(result.Answer().Message)
		}
		live = result.Object
	}
	return w.On(live)
}

// noted is the last-applied annotation of a manifest.
func noted(body map[string]any) map[string]any {
	text, _ := json.Marshal(body)
	return map[string]any{client.LastApplied: string(text)}
}
