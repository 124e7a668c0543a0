package cmd

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/cmd/audit"
	"github.com/ssactl/ssactl/internal/cmd/audit/rules"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
)

// staying are the rules whose fields stay when any manager drops them.
var staying = map[string]bool{
	"stays-when-dropped": true, "left-over-field": true, "applies-and-updates": true, "before-first-apply": true,
}

// TestAuditRecordedObjects audits what the real server stored. What is said to
// stay does stay when each manager drops all that it applies.
func TestAuditRecordedObjects(t *testing.T) {
	objects := map[string]bool{}
	found := map[string]int{}
	hasLive := func(s parity.Step) bool { return len(s.LiveBefore) > 4 && !objects[string(s.LiveBefore)] }
	for _, pack := range []string{"public-handwritten.jsonl.gz", "public-generated.jsonl.gz"} {
		eachRecorded(t, pack, hasLive, func(name string, server *server.Server, step parity.Step, r api.Request) {
			objects[string(step.LiveBefore)] = true
			for _, f := range auditRecorded(t, server, r).Findings {
				found[f.Rule]++
				if staying[f.Rule] && f.Severity != report.SeverityNote {
					stays(t, name, server, r, f)
				}
			}
		})
	}
	if !testing.Short() && (len(objects) < 500 || found["stays-when-dropped"] < 50 || found["applies-and-updates"] < 20) {
		t.Errorf("only %d objects were audited, with %v", len(objects), found)
	}
	t.Logf("%d objects audited, found %v", len(objects), found)
}

func auditRecorded(t *testing.T, server *server.Server, r api.Request) finding.Report {
	t.Helper()
	var object map[string]any
	if err := kjson.Unmarshal(r.Live, &object); err != nil {
		t.Fatal(err)
	}
	apiVersion, kind := r.Kind.ToAPIVersionAndKind()
	if v, ok := object["apiVersion"].(string); ok {
		apiVersion = v
	}
	document := manifest.Document{
		Identity: manifest.Identity{APIVersion: apiVersion, Kind: kind, Namespace: r.Namespace, Name: r.Name},
		Raw:      r.Live,
		Format:   manifest.JSON,
	}
	types := server.Types(input.KindOf(document.Identity))
	o := rules.Object{
		Target: report.Target{APIVersion: apiVersion, Kind: kind, Namespace: r.Namespace, Name: r.Name},
		Live:   object, Deduced: types.Deduced,
	}
	if !types.Deduced {
		o.Shape = managedfields.ShapeOf(types.ParseableType)
	}
	asked := audit.Server{
		Ctx:     context.Background(),
		Cluster: &cluster.Cluster{World: cluster.World{Served: cluster.Served{Server: server}}},
		Live:    &live.Object{Document: document},
	}
	run := rules.Run{Settings: rules.Settings{Clock: rules.Clock{Now: time.Now(), StaleAfter: time.Hour}}}
	run.Examined = append(run.Examined, rules.Examine(o, asked, run.Settings))
	return rules.Conclude(run)
}

// stays applies nothing at all as each manager that applies something: what
// the finding is about has to be there afterwards.
func stays(t *testing.T, name string, server *server.Server, r api.Request, f report.Finding) {
	t.Helper()
	w := writeOf(r)
	if err := kjson.Unmarshal(r.Live, &w.LiveObject); err != nil {
		t.Fatal(err)
	}
	for _, e := range managedfields.Of(w.LiveObject).Readable() {
		if e.Operation != managedfields.Apply || e.Subresource != "" {
			continue
		}
		drop, _, err := engine.Last(context.Background(), server, w, e)
		if err != nil {
			continue
		}
		drop, err = drop.Send(engine.Empty(w.LiveObject))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range engine.Simulate(context.Background(), server, drop).Changes {
			about := func(field string) bool {
				return c.Field == field || f.Rule == "left-over-field" && strings.HasPrefix(c.Field, field)
			}
			if c.Kind == report.Removed && slices.ContainsFunc(f.Fields, about) {
				t.Errorf("%s: %s says %q, but %s goes when %s drops it", name, f.Rule, f.Message, c.Field, e.Manager)
			}
		}
	}
}
