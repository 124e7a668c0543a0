package cmd

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
)

// TestPlansAgreeWithRecordings: what a plan says of the next apply before the
// migration is what a real server answered to it; and who keeps a field alive
// that the manifest drops afterwards was reported.
func TestPlansAgreeWithRecordings(t *testing.T) {
	n, conflicts, kept := 0, 0, 0
	for _, pack := range []string{"public-handwritten.jsonl.gz", "public-generated.jsonl.gz"} {
		eachRecorded(t, pack, isPlainApply, func(name string, server *server.Server, step parity.Step, r api.Request) {
			c := clientSide{name: name, server: server, request: r, live: decodedJSON(t, step.LiveBefore)}
			var manifest map[string]any
			if manifest = decodedJSON(t, r.Body); manifest["metadata"] == nil {
				return
			}
			m := migration.Run(
				context.Background(),
				server,
				c.object(manifest),
				migration.Options{From: updaters(c.live), To: r.Manager},
				migrationTime,
			)
			if m.Verdict != migration.Migrates || annotated(manifest) {
				return
			}
			n++
			if n%2 == 0 {
				kept += checkToldOwners(t, c, m, manifest)
			}
			before := m.Next.Before
			if before.Code != step.Status {
				t.Errorf("%s: the plan says %d, the server said %d", name, before.Code, step.Status)
			}
			if before.Outcome == report.Conflicted {
				conflicts++
				var fields []string
				for _, conflict := range before.Conflicts {
					fields = append(fields, conflict.Field)
				}
				if diff := cmp.Diff(recordedFields(t, step), slices.Compact(fields)); diff != "" {
					t.Errorf("%s: conflicts (-recorded +planned)\n%s", name, diff)
				}
			}
		})
	}
	if !testing.Short() && (n < 100 || conflicts < 20 || kept < 5) {
		t.Errorf("only %d plans were compared, %d with conflicts, %d fields that others keep", n, conflicts, kept)
	}
	t.Logf("%d plans compared, %d with conflicts, %d fields that others keep", n, conflicts, kept)
}

// isPlainApply leaves out the requests that were wrong in themselves.
func isPlainApply(s parity.Step) bool {
	return s.Op == "apply" && !s.Force && s.Subresource == "" && len(s.LiveBefore) > 0 && string(s.LiveBefore) != "null" &&
		s.Request.BodyText == "" && s.Request.Query["dryRun"] == nil && s.Status != 400 && s.Status != 415
}

func annotated(manifest map[string]any) bool {
	annotations, _ := manifest["metadata"].(map[string]any)["annotations"].(map[string]any)
	return annotations[migration.LastApplied] != nil
}

// TestRecordedWayOut plans the recorded mending by hand of the field that
// stays: the plan makes the same object as the hand did.
func TestRecordedWayOut(t *testing.T) {
	scenarios, err := parity.ReadFile(filepath.Join("..", "..", "testdata", "corpus", "public-handwritten.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(scenarios, func(s parity.Scenario) bool { return s.Name == "h-removed-field-stays" })
	if i < 0 {
		t.Fatal("no such recording")
	}
	step := scenarios[i].Steps[3]
	server, err := sharedServer(server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := parity.Request(step)
	if err != nil {
		t.Fatal(err)
	}
	c := clientSide{server: server, request: r, live: decodedJSON(t, step.LiveBefore)}
	m := migration.Run(
		context.Background(),
		server,
		c.object(nil),
		migration.Options{Auto: migration.ByEvidence},
		migrationTime,
	)
	if diff := cmp.Diff(comparable(decodedJSON(t, step.LiveAfter), ""), comparable(m.Object, "")); diff != "" {
		t.Errorf("object (-recorded +planned)\n%s", diff)
	}
	if diff := cmp.Diff("gitops", m.To.Manager); diff != "" {
		t.Errorf("target (-want +got)\n%s", diff)
	}
	var left []string
	for _, l := range m.Lost {
		if l.Kind == migration.LeftOver {
			left = append(left, l.Field)
		}
	}
	want := []string{
		".metadata.annotations.team",
		`.spec.template.spec.containers[name="web"].env[name="OLD"].name`,
		`.spec.template.spec.containers[name="web"].env[name="OLD"].value`,
		`.spec.template.spec.containers[name="web"].resources.limits.cpu`,
	}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("left over (-want +got)\n%s", diff)
	}
	m = migration.Run(
		context.Background(),
		server,
		c.object(nil),
		migration.Options{Auto: migration.ByEvidence, Claim: migration.ClaimLeftover},
		migrationTime,
	)
	var gone []string
	for _, change := range m.Next.After.Changes {
		if change.Kind == report.Removed {
			gone = append(gone, change.Field)
		}
	}
	// The item goes as a whole.
	want = []string{want[0], `.spec.template.spec.containers[name="web"].env[name="OLD"]`, want[3]}
	if diff := cmp.Diff(want, gone); diff != "" {
		t.Errorf("removed by the next apply once they are claimed (-want +got)\n%s", diff)
	}
}
