package cli

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/transfer"
	"github.com/ssactl/ssactl/internal/render/view"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
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
					q := transfer.Request{Object: w, Fields: []fieldpath.Path{path}, From: manager, To: "new-owner", Writes: writes, Between: "in-between"}
					p := transfer.Make(context.Background(), server, q)
					p = view.TransferDocument(transfer.NewDocument(report.Run{}, []transfer.Plan{p}, 0)).Plans[0]
					plans++
					if checkPlan(t, name+" "+path.String()+" of "+manager, p) {
						safe++
					}
				}
			}
		})
	}
	if plans < 500 || safe*100 < plans*95 {
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

func checkPlan(t *testing.T, name string, p transfer.Plan) bool {
	t.Helper()
	if p.Chosen == "" {
		if p.Message == "" && p.Reason == "" {
			t.Errorf("%s: no safe plan, and no reason", name)
		}
		if testing.Verbose() {
			t.Logf("%s: %s%s", name, p.Message, p.Reason)
		}
		return false
	}
	meant := false
	for i, s := range p.Options[0].Steps {
		if s.Does == "" {
			t.Errorf("%s: step %d does not say what it is for: %+v", name, i+1, s)
		}
		if s.Outcome.Refused() {
			t.Errorf("%s: step %d of a safe plan is refused: %s", name, i+1, s.Message)
		}
		meant = meant || s.Meant
		if diff := cmp.Diff(p.Fields[0].Value, s.States[0].Value); diff != "" && !meant {
			t.Errorf("%s: step %d changes the value (-before +after):\n%s", name, i+1, diff)
		}
	}
	last := p.Options[0].Steps[len(p.Options[0].Steps)-1].States[0]
	has := p.Options[0].Steps[len(p.Options[0].Steps)-1].NotSimulated != ""
	for _, o := range last.Owners {
		has = has || o.Manager == p.To
		if o.Manager == p.From {
			t.Errorf("%s: %s still owns it in the end", name, p.From)
		}
	}
	if !has {
		t.Errorf("%s: %s does not own it in the end", name, p.To)
	}
	return true
}
