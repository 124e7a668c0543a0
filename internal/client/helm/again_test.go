package helm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/test/applies"
	"github.com/ssactl/ssactl/test/sending"
)

// TestHelmAfter: the next upgrade compares with what this one has sent, and an install is followed
// by an upgrade.
func TestHelmAfter(t *testing.T) {
	live := func(data string) string {
		return strings.Replace(applies.ConfigMap("a", ofShop, data), "namespace: team", "namespace: team, uid: u", 1)
	}
	for _, test := range []struct {
		name, deployed, first, now, manifest string
		settings                             client.Settings
		want                                 string
	}{
		{
			"what it dropped is not dropped again", "k: v, j: w", "k: v, j: w", "k: v, j: x", "k: v",
			client.Settings{ServerSide: "false"}, "Unchanged map[j:x k:v]",
		},
		{
			"an install is followed by an upgrade", "", "", "k: v", "k: v",
			client.Settings{}, "Configured map[k:v]",
		},
	} {
		manifest := ""
		if test.deployed != "" {
			manifest = applies.ConfigMap("a", "", test.deployed)
		}
		c := released(t, manifest, test.settings)
		first := ""
		if test.first != "" {
			first = live(test.first)
		}
		sent := sending.Write(t, c, applies.ConfigMap("a", "", "k: v"), first)
		c.Plan(t.Context(), applies.Server(), []engine.Write{sent})
		is := live(test.now)
		if manifest == "" {
			// An install refuses an object without an owner, and an upgrade does not look.
			is = applies.ConfigMap("a", ", uid: u", test.now)
		}
		next := sending.Write(t, c, applies.ConfigMap("a", "", test.manifest), is)
		r := c.After(sent).Simulate(t.Context(), applies.Server(), next)
		got := string(r.Outcome)
		if r.Object != nil {
			got += " " + fmt.Sprint(fieldtree.Value(r.Object, "data"))
		}
		c.Plan(t.Context(), applies.Server(), []engine.Write{next})
		if once := c.Simulate(t.Context(), applies.Server(), next); once.Outcome == r.Outcome {
			t.Errorf("%s: compared with the revision before, it is %s too", test.name, once.Outcome)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
