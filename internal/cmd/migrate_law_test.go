package cmd

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
)

var migrationTime = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)

// TestMigratedIsApplied is the law of migrate, over every kind of the
// recordings: the server makes the planned object of the patch; planned again
// there is nothing to do; to apply the same manifest again conflicts with
// nobody and changes nothing; and a field that is dropped from it goes, unless
// a co-owner was reported.
func TestMigratedIsApplied(t *testing.T) {
	objects, dropped := 0, 0
	eachClientSide(t, func(c clientSide) {
		for _, v := range []struct {
			manifest map[string]any
			to       string
		}{{nil, ""}, {c.manifest, "argocd-controller"}} {
			m := migration.Run(
				context.Background(),
				c.server,
				c.object(v.manifest),
				migration.Options{Auto: migration.ByEvidence, To: v.to},
				migrationTime,
			)
			if m.Verdict != migration.Migrates {
				t.Errorf("%s: %s %s %v", c.name, m.Verdict, m.Error, m.Findings)
				return
			}
			objects++
			checkPatch(t, c, m)
			checkTwice(t, c, m)
			checkReapply(t, c, m)
			if v.manifest != nil {
				dropped += checkDrops(t, c, m)
			}
		}
	})
	if !testing.Short() && (objects < 200 || dropped < 500) {
		t.Errorf("only %d migrations and %d dropped fields were checked", objects, dropped)
	}
	t.Logf("%d migrations, %d dropped fields", objects, dropped)
}

// checkPatch asks the server what the patch makes of the live object.
func checkPatch(t *testing.T, c clientSide, m migration.Migration) {
	t.Helper()
	if c.request.Kind.Kind == "Job" {
		// The server wants the uid, which it alone gives, in its labels.
		return
	}
	r := api.Request{
		Verb: api.JSONPatch, Kind: c.request.Kind, Namespace: m.Target.Namespace, Name: m.Target.Name,
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

func checkTwice(t *testing.T, c clientSide, m migration.Migration) {
	t.Helper()
	again := c.object(nil)
	again.Live = m.Object
	second := migration.Run(
		context.Background(),
		c.server,
		again,
		migration.Options{Auto: migration.ByEvidence, To: m.To.Manager},
		migrationTime,
	)
	if second.Verdict != migration.NothingToDo {
		t.Errorf("%s: migrated again: %s %v", c.name, second.Verdict, second.Findings)
	}
}

func checkReapply(t *testing.T, c clientSide, m migration.Migration) {
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
// The result must be as if the object had been applied server-side from the start.
func checkDrops(t *testing.T, c clientSide, m migration.Migration) int {
	t.Helper()
	fresh := c.apply(t, nil, c.manifest, "fresh")
	if fresh.Outcome.Refused() {
		return 0
	}
	n := 0
	shape := managedfields.ShapeOf(c.server.Types(c.request.Kind).ParseableType)
	for i, leaf := range shape.Leaves(c.manifest) {
		if managedfields.Untracked(leaf.Path) || i > 15 || len(shape.Lookup(c.manifest, leaf.Path)) != 1 {
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
		told := slices.ContainsFunc(
			m.CoOwners,
			func(o migration.CoOwner) bool { return slices.Contains(o.Fields, leaf.Path.String()) },
		)
		owners := managedfields.Of(r.Object).At(leaf.Path)
		if len(owners) > 0 && shape.Has(r.Object, leaf.Path) && !told {
			t.Errorf("%s: %s was dropped, and stays, owned by %s", c.name, leaf.Path, owners[0].Manager)
		}
		if diff := cmp.Diff(shape.Lookup(want.Object, leaf.Path), shape.Lookup(r.Object, leaf.Path)); diff != "" && !told {
			t.Errorf("%s: %s was dropped (-applied from the start +migrated)\n%s", c.name, leaf.Path, diff)
		}
	}
	return n
}

// checkToldOwners drops each field of the manifest in turn: what keeps it alive
// was reported, as a co-owner or in a conflict. It gives the number of fields that others kept.
func checkToldOwners(t *testing.T, c clientSide, m migration.Migration, manifest map[string]any) int {
	t.Helper()
	kept := 0
	shape := managedfields.ShapeOf(c.server.Types(c.request.Kind).ParseableType)
	for _, leaf := range shape.Leaves(manifest) {
		if managedfields.Untracked(leaf.Path) || len(shape.Lookup(manifest, leaf.Path)) != 1 {
			continue
		}
		body, ok := withoutField(t, manifest, shape, leaf)
		if !ok {
			continue
		}
		r := c.apply(t, m.Object, body, m.To.Manager)
		if r.Object == nil || !shape.Has(r.Object, leaf.Path) {
			continue
		}
		for _, e := range managedfields.Of(r.Object).At(leaf.Path) {
			kept++
			told := slices.ContainsFunc(m.CoOwners, func(o migration.CoOwner) bool {
				return o.Manager == e.Manager && o.Operation == e.Operation && slices.Contains(o.Fields, leaf.Path.String())
			}) || slices.ContainsFunc(m.Next.After.Conflicts, func(c report.Conflict) bool {
				return c.Manager == e.Manager && c.Field == leaf.Path.String()
			})
			if !told && leaf.Path[0].String() != ".status" {
				t.Errorf(
					"%s: %s was dropped, and %s (%s) keeps it, which was not told: %v", c.name, leaf.Path,
					e.Manager, e.Operation, m.CoOwners,
				)
			}
		}
	}
	return kept
}

// withoutField leaves a field out of a manifest, where it stands under field
// names only, and the maps that are empty then.
func withoutField(
	t *testing.T,
	manifest map[string]any,
	shape managedfields.Shape,
	leaf managedfields.Leaf,
) (map[string]any, bool) {
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

// TestRecordedObjectsMigrate plans every recorded object, by evidence and with
// the entries of all that wrote by updates: the server makes the planned object
// of the patch, and planned again there is nothing to do.
func TestRecordedObjectsMigrate(t *testing.T) {
	n, seen := map[migration.Verdict]int{}, map[string]bool{}
	for _, pack := range []string{"public-handwritten.jsonl.gz", "public-generated.jsonl.gz"} {
		eachRecorded(t, pack, isAccepted, func(name string, server *server.Server, step parity.Step, r api.Request) {
			if seen[string(step.LiveAfter)] {
				return
			}
			seen[string(step.LiveAfter)] = true
			live := decodedJSON(t, step.LiveAfter)
			c := clientSide{name: name, server: server, request: r, live: live}
			for _, options := range []migration.Options{
				{Auto: migration.ByEvidence},
				{From: updaters(live), To: "gitops"},
				{From: updaters(live), To: "gitops", Claim: migration.ClaimAll},
				{From: updaters(live), To: "gitops", Mode: migration.Compatible},
			} {
				m := migration.Run(context.Background(), server, c.object(nil), options, migrationTime)
				n[m.Verdict]++
				for _, f := range m.Findings {
					if f.Severity == report.SeverityError {
						n[migration.Verdict(f.Rule)]++
					}
				}
				switch m.Verdict {
				case migration.Failed:
					t.Errorf("%s: %s", name, m.Error)
				case migration.Migrates:
					checkPatch(t, c, m)
					again := c.object(nil)
					again.Live = m.Object
					if second := migration.Run(context.Background(), server, again, options, migrationTime); second.Verdict == migration.Migrates {
						t.Errorf("%s: migrated again: %s %s", name, second.Verdict, cmp.Diff(m.Object, second.Object))
					}
				}
			}
		})
	}
	if !testing.Short() && n[migration.Migrates] < 1000 {
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
	for _, e := range managedfields.Of(live).Readable() {
		if e.Operation == managedfields.Update && e.Subresource == "" {
			names = append(names, e.Manager)
		}
	}
	return names
}
