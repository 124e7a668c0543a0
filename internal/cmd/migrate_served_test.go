package cmd

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/report"
)

// TestPlannedEntriesAreServed is a law of migrate over every kind of the
// recordings: an entry that a plan makes is at an API version that the server
// serves, whatever the annotation, the entries or the manifest are at. The
// server drops any other with the next write, and with it all ownership.
func TestPlannedEntriesAreServed(t *testing.T) {
	n, seen := map[migration.Verdict]int{}, map[string]bool{}
	eachClientSide(t, func(c clientSide) {
		if seen[c.request.Kind.String()] {
			return
		}
		seen[c.request.Kind.String()] = true
		gone := c.request.Kind.GroupVersion()
		gone.Version = "v0"
		old := gone.String()
		oldEntries, applied := c, c
		oldEntries.live = withOldEntries(t, c.live, old)
		applied.live = withOldEntries(t, c.live, old)
		entries := applied.live["metadata"].(map[string]any)["managedFields"].([]any)
		entries[0].(map[string]any)["operation"] = "Apply"
		annotated := c
		annotated.live = withOldAnnotation(t, c.live, old)
		manifest := deepCopy(t, c.manifest)
		manifest["apiVersion"] = old

		auto := migration.Options{Auto: migration.ByEvidence}
		for _, v := range []struct {
			name     string
			c        clientSide
			manifest map[string]any
			options  migration.Options
			want     migration.Verdict
		}{
			{"the annotation", annotated, nil, auto, migration.Migrates},
			{"the entries", oldEntries, nil, auto, migration.Migrates},
			{"the entries beside a manifest", oldEntries, c.manifest, auto, migration.Migrates},
			{"what another one applied", applied, nil, migration.Options{From: []string{migration.ClientSideKubectl}, To: "gitops"}, migration.Migrates},
			{"what the target applied", applied, nil, migration.Options{Auto: migration.ByEvidence, To: migration.ClientSideKubectl}, ""},
			{"what goes back", applied, c.manifest, migration.Options{Mode: migration.Reverse}, migration.Migrates},
			{"what goes back, without a manifest", applied, nil, migration.Options{Mode: migration.Reverse}, migration.Migrates},
			{"the manifest", c, manifest, auto, migration.Blocked},
			{"the manifest, as upstream", c, manifest, migration.Options{Auto: migration.ByEvidence, Mode: migration.Compatible}, migration.Blocked},
		} {
			m := migration.Run(context.Background(), v.c.server, v.c.object(v.manifest), v.options, migrationTime)
			n[m.Verdict]++
			if v.want != "" && m.Verdict != v.want {
				t.Errorf("%s: %s is gone: %s %s %v", c.name, v.name, m.Verdict, m.Error, m.Findings)
			}
			before := managedfields.Of(v.c.live).Readable()
			for _, e := range managedfields.Of(m.Object).Readable() {
				kept := slices.ContainsFunc(before, func(b managedfields.Entry) bool { return b.Writer == e.Writer })
				if !kept && e.APIVersion == old {
					t.Errorf("%s: %s is gone, and %s (%s) is planned at %s", c.name, v.name, e.Manager, e.Operation, e.APIVersion)
				}
			}
		}
		// Upstream's plan is as it is, and the loss is reported.
		m := migration.Run(
			context.Background(),
			c.server,
			oldEntries.object(nil),
			migration.Options{Auto: migration.ByEvidence, Mode: migration.Compatible},
			migrationTime,
		)
		if told := slices.ContainsFunc(m.Findings, func(f report.Finding) bool { return f.Rule == "unserved-version" }); !told {
			t.Errorf("%s: nothing is told of csaupgrade's entry at %s: %s %v", c.name, old, m.Verdict, m.Findings)
		}
	})
	if !testing.Short() && (n[migration.Migrates] < 250 || n[migration.Blocked] < 80) {
		t.Errorf("only these were planned: %v", n)
	}
	t.Logf("%v", n)
}

// withOldEntries is an object whose entries are at another API version.
func withOldEntries(t *testing.T, live map[string]any, version string) map[string]any {
	t.Helper()
	out := deepCopy(t, live)
	for _, e := range out["metadata"].(map[string]any)["managedFields"].([]any) {
		e.(map[string]any)["apiVersion"] = version
	}
	return out
}

// withOldAnnotation is an object whose annotation is at another API version.
func withOldAnnotation(t *testing.T, live map[string]any, version string) map[string]any {
	t.Helper()
	out := deepCopy(t, live)
	annotations := out["metadata"].(map[string]any)["annotations"].(map[string]any)
	text := annotations[migration.LastApplied].(string)
	manifest := decodedJSON(t, []byte(strings.TrimSpace(text)))
	manifest["apiVersion"] = version
	annotations[migration.LastApplied] = encoded(t, manifest)
	return out
}
