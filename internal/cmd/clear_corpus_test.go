package cmd

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/cmd/clear"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
)

// TestClearRecordedObjects clears what the real server stored, as a whole and
// each manager alone: the server accepts, stores exactly the entries that were
// to be left and the same object, and there is nothing to clear the second
// time.
func TestClearRecordedObjects(t *testing.T) {
	seen := map[string]bool{}
	hasLive := func(s parity.Step) bool {
		return len(s.LiveBefore) > 4 && !seen[string(s.LiveBefore)]
	}
	for _, pack := range []string{"public-handwritten.jsonl.gz", "public-generated.jsonl.gz"} {
		eachRecorded(t, pack, hasLive, func(name string, server *server.Server, step parity.Step, r api.Request) {
			seen[string(step.LiveBefore)] = true
			w := writeOf(r)
			w.Subresource = ""
			clearedWhole(t, name, server, w)
			for _, manager := range managersOfLive(t, w) {
				clearedManager(t, name, server, w, manager)
			}
		})
	}
	if !testing.Short() && len(seen) < 500 {
		t.Errorf("only %d objects were cleared", len(seen))
	}
	t.Logf("%d objects cleared", len(seen))
}

func clearedWhole(t *testing.T, name string, server *server.Server, w engine.Write) {
	t.Helper()
	c := clear.Clear(context.Background(), server, clear.Request{Object: w, Now: time.Now()})
	if c.Entries == 0 {
		return
	}
	if c.Outcome.Refused() || c.Result == nil || len(c.Remaining) > 0 {
		t.Errorf("%s: clearing all is %s %s, with %d fields owned", name, c.Outcome, c.Message, len(c.Remaining))
		return
	}
	if left := managedfields.Of(c.Result.Object).Entries; len(left) > 0 {
		t.Errorf("%s: clearing all leaves %v", name, left)
	}
	w.Live, w.LiveObject = nil, c.Result.Object
	if again := clear.Clear(context.Background(), server, clear.Request{Object: w, Now: time.Now()}); again.Patch != nil {
		t.Errorf("%s: clearing twice does %v", name, again.Patch)
	}
}

func clearedManager(t *testing.T, name string, server *server.Server, w engine.Write, manager string) {
	t.Helper()
	c := clear.Clear(context.Background(), server, clear.Request{
		Object: w, Now: time.Now(), Selection: clear.Selection{Managers: []string{manager}},
	})
	if c.Outcome.Refused() || c.Result == nil {
		t.Errorf("%s: clearing %s is %s: %s", name, manager, c.Outcome, c.Message)
		return
	}
	want := map[managedfields.Role]string{}
	for role, set := range managedfields.Of(c.Result.Live).Roles() {
		if role.Manager != manager {
			want[role] = set.String()
		}
	}
	got := map[managedfields.Role]string{}
	for role, set := range managedfields.Of(c.Result.Object).Roles() {
		got[role] = set.String()
	}
	if diff := cmp.Diff(want, got); diff != "" && len(c.Findings) == 0 {
		t.Errorf("%s: clearing %s (-want +got):\n%s", name, manager, diff)
	}
}

func managersOfLive(t *testing.T, w engine.Write) []string {
	t.Helper()
	var live map[string]any
	if err := kjson.Unmarshal(w.Live, &live); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range managedfields.Of(live).Entries {
		if !slices.Contains(out, e.Manager) {
			out = append(out, e.Manager)
		}
	}
	return out
}
