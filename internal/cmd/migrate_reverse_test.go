package cmd

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/migration"
)

// TestWayBack is the law of --reverse, over every kind of the recordings: the
// server makes the planned object of the patch; kubectl apply of the manifest
// then does what it does to an object of its own, as its own three-way merge
// says; and to migrate again gives back the Apply entry.
func TestWayBack(t *testing.T) {
	n, same := 0, 0
	eachClientSide(t, func(c clientSide) {
		fresh := c.apply(t, nil, c.manifest, "kubectl")
		if fresh.Outcome.Refused() || len(managedfields.Of(fresh.Object).Entries) == 0 {
			return
		}
		fresh.Object["metadata"].(map[string]any)["resourceVersion"] = "7"
		byKubectl := c.live
		c.live = fresh.Object
		m := migration.Run(
			context.Background(),
			c.server,
			c.object(c.manifest),
			migration.Options{Mode: migration.Reverse, Auto: migration.ByEvidence},
			migrationTime,
		)
		if m.Verdict != migration.Migrates {
			t.Errorf("%s: %s %s %v", c.name, m.Verdict, m.Error, m.Findings)
			return
		}
		n++
		checkPatch(t, c, m)
		// What is stored in another spelling kubectl sends again at every apply.
		if diff := cmp.Diff(clientSideApply(t, c, byKubectl), clientSideApply(t, c, m.Object)); diff != "" {
			t.Errorf("%s: kubectl apply would patch (-made by kubectl apply +gone back)\n%s", c.name, diff)
		}
		back := c.object(c.manifest)
		back.Live = m.Object
		again := migration.Run(
			context.Background(),
			c.server,
			back,
			migration.Options{Auto: migration.ByEvidence, To: "kubectl"},
			migrationTime,
		)
		if again.Verdict != migration.Migrates {
			t.Errorf("%s: to migrate again: %s %v", c.name, again.Verdict, again.Findings)
			return
		}
		want, got := entry(fresh.Object), entry(again.Object)
		if diff := cmp.Diff(want.String(), got.String()); diff != "" {
			t.Errorf("%s: migrated again (-first applied +migrated)\n%s", c.name, diff)
		}
		same++
	})
	if !testing.Short() && n < 100 {
		t.Errorf("only %d objects went back", n)
	}
	t.Logf("%d objects went back, %d came again", n, same)
}

// entry is what the Apply entry of kubectl owns.
func entry(object map[string]any) interface{ String() string } {
	return managedfields.Of(object).Roles()[managedfields.Role{Manager: "kubectl", Operation: managedfields.Apply}]
}

// clientSideApply is the patch that kubectl apply would send (kubectl,
// pkg/cmd/apply/patcher.go).
func clientSideApply(t *testing.T, c clientSide, live map[string]any) string {
	t.Helper()
	annotation := live["metadata"].(map[string]any)["annotations"].(map[string]any)[migration.LastApplied].(string)
	modified := deepCopy(t, c.manifest)
	metadata := modified["metadata"].(map[string]any)
	if c.request.Namespace != "" {
		metadata["namespace"] = c.request.Namespace
	}
	annotations, _ := metadata["annotations"].(map[string]any)
	if annotations == nil {
		annotations = map[string]any{}
	}
	annotations[migration.LastApplied] = annotation
	metadata["annotations"] = annotations
	original, next, current := []byte(annotation), []byte(encoded(t, modified)), []byte(encoded(t, live))
	var patch []byte
	typed, err := scheme.Scheme.New(c.request.Kind)
	if err != nil {
		patch, err = jsonmergepatch.CreateThreeWayJSONMergePatch(original, next, current)
	} else {
		var lookup strategicpatch.LookupPatchMeta
		if lookup, err = strategicpatch.NewPatchMetaFromStruct(typed); err == nil {
			patch, err = strategicpatch.CreateThreeWayMergePatch(original, next, current, lookup, true)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(patch)
}
