package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/apicall"
	"github.com/ssactl/ssactl/internal/apiserver"
	lastapplied "github.com/ssactl/ssactl/internal/applied"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/migrate"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/parity"
)

var migrationTime = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)

// clientSide is an object as kubectl apply (client-side) makes it, and the
// manifest behind it.
type clientSide struct {
	name     string
	server   *apiserver.Server
	request  apicall.Request
	manifest map[string]any
	live     map[string]any
}

// eachClientSide creates what the recordings create and apply first, as
// kubectl apply (client-side) does it: with the annotation.
func eachClientSide(t *testing.T, visit func(clientSide)) {
	t.Helper()
	seen := map[string]bool{}
	for _, pack := range []string{"public-handwritten.jsonl.gz", "public-generated.jsonl.gz"} {
		eachRecorded(t, pack, isFirst, func(name string, server *apiserver.Server, step parity.Step, r apicall.Request) {
			var manifest map[string]any
			if kjson.Unmarshal(r.Body, &manifest) != nil || seen[string(r.Body)] {
				return
			}
			seen[string(r.Body)] = true
			if annotations, ok := manifest["metadata"].(map[string]any)["annotations"].(map[string]any); ok {
				delete(annotations, migrate.LastApplied)
				if len(annotations) == 0 {
					delete(manifest["metadata"].(map[string]any), "annotations")
				}
			}
			if c, ok := createdClientSide(t, name, server, r, manifest); ok {
				visit(c)
			}
		})
	}
}

func isFirst(s parity.Step) bool {
	return (s.Op == "create" || s.Op == "apply") && (len(s.LiveBefore) == 0 || string(s.LiveBefore) == "null") && s.Status == 201
}

func createdClientSide(t *testing.T, name string, server *apiserver.Server, r apicall.Request, manifest map[string]any) (clientSide, bool) {
	t.Helper()
	body := deepCopy(t, manifest)
	metadata := body["metadata"].(map[string]any)
	if metadata["annotations"] == nil {
		metadata["annotations"] = map[string]any{}
	}
	text := encoded(t, body)
	metadata["annotations"].(map[string]any)[migrate.LastApplied] = text
	r.Verb, r.Manager, r.Body, r.MediaType, r.Now, r.Force = apicall.Create, migrate.ClientSideKubectl, []byte(encoded(t, body)), "", migrationTime, false
	resp, err := server.Do(context.Background(), r)
	if err != nil || resp.Code != 201 {
		return clientSide{}, false
	}
	live := decodedJSON(t, resp.Body)
	live["metadata"].(map[string]any)["resourceVersion"] = "7"
	return clientSide{name, server, r, manifest, live}, true
}

func (c clientSide) object(manifest map[string]any) migrate.Object {
	apiVersion, kind := c.request.Kind.ToAPIVersionAndKind()
	return migrate.Object{
		Target: engine.Target{APIVersion: apiVersion, Kind: kind, Namespace: c.request.Namespace, Name: nameOf(c.live)},
		Live:   c.live, Manifest: manifest,
	}
}

// apply is the server's answer to the next apply.
func (c clientSide) apply(t *testing.T, live, body map[string]any, manager string) engine.Result {
	t.Helper()
	w := writeOf(c.request)
	w.Verb, w.Manager, w.Name, w.Now, w.FieldValidation = apicall.Apply, manager, nameOf(c.live), migrationTime.Add(time.Hour), ""
	w, err := lastapplied.Send(w, body)
	if err != nil {
		t.Fatal(err)
	}
	w.Live, w.LiveObject = nil, nil
	if live != nil {
		w = lastapplied.On(w, live)
	}
	return engine.Simulate(context.Background(), c.server, w)
}

// TestMigratedIsApplied is the law of migrate, over every kind of the
// recordings: the server makes the planned object of the patch; planned again
// there is nothing to do; to apply the same manifest again conflicts with
// nobody and changes nothing; and a field that is dropped from it goes, unless
// a co-owner was told.
func TestMigratedIsApplied(t *testing.T) {
	objects, dropped := 0, 0
	eachClientSide(t, func(c clientSide) {
		for _, with := range []map[string]any{nil, c.manifest} {
			for _, to := range []string{"", "argocd-controller"} {
				m := migrate.Run(context.Background(), c.server, c.object(with), migrate.Options{Auto: migrate.ByEvidence, To: to}, migrationTime)
				if m.Verdict != migrate.Migrates {
					t.Errorf("%s: %s %s %v", c.name, m.Verdict, m.Error, m.Findings)
					return
				}
				objects++
				checkPatch(t, c, m)
				checkTwice(t, c, m)
				checkReapply(t, c, m)
				if to != "" {
					dropped += checkDrops(t, c, m)
				}
			}
		}
	})
	if objects < 200 || dropped < 500 {
		t.Errorf("only %d migrations and %d dropped fields were checked", objects, dropped)
	}
	t.Logf("%d migrations, %d dropped fields", objects, dropped)
}

// checkPatch asks the server what the patch makes of the live object.
func checkPatch(t *testing.T, c clientSide, m migrate.Migration) {
	t.Helper()
	if c.request.Kind.Kind == "Job" {
		// The server wants the uid, which it alone gives, in its labels.
		return
	}
	r := apicall.Request{
		Verb: apicall.JSONPatch, Kind: c.request.Kind, Namespace: m.Target.Namespace, Name: m.Target.Name,
		Manager: m.PatchManager, Now: migrationTime,
	}
	if r.Manager == "" {
		r.Manager = "kubectl-patch"
	}
	r.Body, r.Live = []byte(encoded(t, m.Patch)), []byte(encoded(t, m.Live))
	resp, err := c.server.Do(context.Background(), r)
	if err != nil || resp.Code != 200 {
		t.Errorf("%s: the server answers %d to the patch: %v %s", c.name, resp.Code, err, resp.Body)
		return
	}
	planned, made := comparable(m.Object, m.PatchManager), comparable(decodedJSON(t, resp.Body), m.PatchManager)
	if diff := cmp.Diff(planned, made, anyOrder(m)); diff != "" {
		t.Errorf("%s: the patch (-planned +made by the server)\n%s", c.name, diff)
	}
}

// anyOrder lets the entries be in any order where upstream makes them: it does
// not sort them as the server does.
func anyOrder(m migrate.Migration) cmp.Option {
	return cmp.FilterPath(func(p cmp.Path) bool {
		return m.Patch[0].Op == "replace" && strings.HasSuffix(p.GoString(), `["managedFields"].([]any)`)
	}, cmp.Transformer("sorted", func(list []any) []string {
		var texts []string
		for _, entry := range list {
			text, err := json.Marshal(entry)
			if err != nil {
				return nil
			}
			texts = append(texts, string(text))
		}
		slices.Sort(texts)
		return texts
	}))
}

func checkTwice(t *testing.T, c clientSide, m migrate.Migration) {
	t.Helper()
	again := c.object(nil)
	again.Live = m.Object
	second := migrate.Run(context.Background(), c.server, again, migrate.Options{Auto: migrate.ByEvidence, To: m.To.Manager}, migrationTime)
	if second.Verdict != migrate.NothingToDo {
		t.Errorf("%s: migrated again: %s %v", c.name, second.Verdict, second.Findings)
	}
}

func checkReapply(t *testing.T, c clientSide, m migrate.Migration) {
	t.Helper()
	fresh := c.apply(t, nil, c.manifest, "fresh")
	if fresh.Outcome.Refused() {
		return
	}
	r := c.apply(t, m.Object, c.manifest, m.To.Manager)
	message := r.Error
	if r.Status != nil {
		message = r.Status.Message
	}
	// Some kinds change at each write (an EndpointSlice's generation).
	again := c.apply(t, fresh.Object, c.manifest, "fresh")
	if r.Outcome != again.Outcome || len(r.Transfers) > 0 || cmp.Diff(again.Changes, r.Changes) != "" {
		t.Errorf("%s: the next apply as %s: %s %v %s\n%v", c.name, m.To.Manager, r.Outcome, r.Changes, message, r.Transfers)
	}
	if m.Next == nil || m.Next.After.Outcome != r.Outcome {
		t.Errorf("%s: the plan says that the next apply is %+v", c.name, m.Next)
	}
}

// checkDrops drops each field of the manifest in turn, and gives their number.
// What comes of it is as if the object had been applied server-side from the
// start.
func checkDrops(t *testing.T, c clientSide, m migrate.Migration) int {
	t.Helper()
	fresh := c.apply(t, nil, c.manifest, "fresh")
	if fresh.Outcome.Refused() {
		return 0
	}
	n := 0
	shape := ownership.ShapeOf(c.server.Types(c.request.Kind).ParseableType)
	for i, leaf := range shape.Leaves(c.manifest) {
		if ownership.Untracked(leaf.Path) || i > 25 || len(shape.Lookup(c.manifest, leaf.Path)) != 1 {
			continue
		}
		body, ok := withoutField(t, c.manifest, shape, leaf)
		if !ok {
			continue
		}
		r, want := c.apply(t, m.Object, body, m.To.Manager), c.apply(t, fresh.Object, body, "fresh")
		if r.Object == nil || want.Object == nil {
			if r.Outcome != want.Outcome {
				t.Errorf("%s: to drop %s is %s, not %s", c.name, leaf.Path, r.Outcome, want.Outcome)
			}
			continue
		}
		n++
		told := slices.ContainsFunc(m.CoOwners, func(o migrate.CoOwner) bool { return slices.Contains(o.Fields, leaf.Path.String()) })
		owners := ownership.Of(r.Object).At(leaf.Path)
		if len(owners) > 0 && shape.Has(r.Object, leaf.Path) && !told {
			t.Errorf("%s: %s was dropped, and stays, owned by %s", c.name, leaf.Path, owners[0].Manager)
		}
		if diff := cmp.Diff(shape.Lookup(want.Object, leaf.Path), shape.Lookup(r.Object, leaf.Path)); diff != "" && !told {
			t.Errorf("%s: %s was dropped (-applied from the start +migrated)\n%s", c.name, leaf.Path, diff)
		}
	}
	return n
}

// withoutField leaves a field out of a manifest, where it stands under field
// names only, and the maps that are empty then.
func withoutField(t *testing.T, manifest map[string]any, shape ownership.Shape, leaf ownership.Leaf) (map[string]any, bool) {
	t.Helper()
	body := deepCopy(t, manifest)
	last := leaf.Path[len(leaf.Path)-1]
	if last.FieldName == nil {
		return nil, false
	}
	found := shape.Lookup(body, leaf.Path[:len(leaf.Path)-1])
	if len(found) != 1 {
		return nil, false
	}
	parent, ok := found[0].(map[string]any)
	if !ok {
		return nil, false
	}
	delete(parent, *last.FieldName)
	return body, true
}

// comparable is an object without what a write of the server changes besides:
// the time of the writer's entry, for one.
func comparable(object map[string]any, writer string) map[string]any {
	out := map[string]any{}
	for k, v := range object {
		out[k] = v
	}
	metadata := map[string]any{}
	for k, v := range object["metadata"].(map[string]any) {
		if k != "resourceVersion" && k != "generation" && k != "creationTimestamp" {
			metadata[k] = v
		}
	}
	var entries []any
	list, _ := metadata["managedFields"].([]any)
	for _, e := range list {
		entry := maps.Clone(e.(map[string]any))
		if entry["manager"] == writer {
			delete(entry, "time")
		}
		entries = append(entries, entry)
	}
	metadata["managedFields"] = entries
	out["metadata"] = metadata
	return out
}

// TestRecordedObjectsMigrate plans every recorded object, by evidence and with
// the entries of all that wrote by updates: the server makes the planned object
// of the patch, and planned again there is nothing to do.
func TestRecordedObjectsMigrate(t *testing.T) {
	n := map[migrate.Verdict]int{}
	for _, pack := range []string{"public-handwritten.jsonl.gz", "public-generated.jsonl.gz"} {
		eachRecorded(t, pack, isAccepted, func(name string, server *apiserver.Server, step parity.Step, r apicall.Request) {
			live := decodedJSON(t, step.LiveAfter)
			c := clientSide{name: name, server: server, request: r, live: live}
			for _, options := range []migrate.Options{
				{Auto: migrate.ByEvidence},
				{From: updaters(live), To: "gitops"},
				{From: updaters(live), To: "gitops", Claim: migrate.ClaimAll},
				{From: updaters(live), To: "gitops", Mode: migrate.Compatible},
			} {
				m := migrate.Run(context.Background(), server, c.object(nil), options, migrationTime)
				n[m.Verdict]++
				for _, f := range m.Findings {
					if f.Severity == migrate.Blocks {
						n[migrate.Verdict(f.Rule)]++
					}
				}
				switch m.Verdict {
				case migrate.Failed:
					t.Errorf("%s: %s", name, m.Error)
				case migrate.Migrates:
					checkPatch(t, c, m)
					again := c.object(nil)
					again.Live = m.Object
					if second := migrate.Run(context.Background(), server, again, options, migrationTime); second.Verdict == migrate.Migrates {
						t.Errorf("%s: migrated again: %s %s", name, second.Verdict, cmp.Diff(m.Object, second.Object))
					}
				}
			}
		})
	}
	if n[migrate.Migrates] < 1000 {
		t.Errorf("only these were planned: %v", n)
	}
	t.Logf("%v", n)
}

func isAccepted(s parity.Step) bool {
	return s.Status < 300 && s.Op != "delete" && len(s.LiveAfter) > 0 && string(s.LiveAfter) != "null"
}

// updaters are the managers of the Update entries of the object itself.
func updaters(live map[string]any) []string {
	var names []string
	for _, e := range ownership.Of(live).Readable() {
		if e.Operation == ownership.Update && e.Subresource == "" {
			names = append(names, e.Manager)
		}
	}
	return names
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func decodedJSON(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var out map[string]any
	if err := kjson.Unmarshal(text, &out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

func deepCopy(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	return decodedJSON(t, []byte(encoded(t, object)))
}

func nameOf(object map[string]any) string {
	name, _ := object["metadata"].(map[string]any)["name"].(string)
	return strings.TrimSpace(name)
}
