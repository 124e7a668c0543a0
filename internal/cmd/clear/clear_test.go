package clear

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/lab"
)

const (
	applied = "kubectl Apply lab/v1 .: spec/mode spec/replicas"
	scaled  = "scaler Update lab/v1 .: spec/replicas"
	edited  = "kubectl-edit Update lab/v1 .: spec/mode spec/size"
	old     = "kubectl-edit Update lab/v0 .: spec/size"
	stale   = "kubectl-edit Update lab/v1 .: spec/size spec/gone"
)

func ask(live map[string]any, selection Selection) Clearing {
	return Clear(context.Background(), lab.Server{Unserved: []string{"lab/v0"}}, Request{
		Object: engine.Write{
			Kind:       schema.GroupVersionKind{Group: "lab", Version: "v1", Kind: "Gadget"},
			Name:       "g",
			LiveObject: live,
		},
		Selection: selection, Applies: WithApplies, Now: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC),
	})
}

func TestClear(t *testing.T) {
	tests := []struct {
		name      string
		entries   []string
		selection Selection
		outcome   report.Outcome
		left      []string
		patch     string
		ownerless []string
		remaining []string
		spared    int
	}{
		{name: "nothing to clear", outcome: report.Unchanged},
		{
			name: "everything", entries: []string{applied, edited}, outcome: report.Configured,
			patch:     `[{"op":"test","path":"/metadata/resourceVersion","value":"7"},{"op":"replace","path":"/metadata/managedFields","value":[{}]}]`,
			ownerless: []string{".spec.mode", ".spec.replicas", ".spec.size"},
		},
		{
			name: "one manager", entries: []string{applied, edited}, selection: Selection{Managers: []string{"kubectl"}}, outcome: report.Configured,
			left:      []string{edited},
			patch:     `[{"op":"test","path":"/metadata/resourceVersion","value":"7"},{"op":"remove","path":"/metadata/managedFields/0"}]`,
			ownerless: []string{".spec.replicas"}, remaining: []string{".spec.mode"},
		},
		{
			name: "two managers, from the last", entries: []string{applied, scaled, edited}, selection: Selection{Managers: []string{"kubectl*"}}, outcome: report.Configured,
			left:      []string{scaled},
			patch:     `[{"op":"test","path":"/metadata/resourceVersion","value":"7"},{"op":"remove","path":"/metadata/managedFields/2"},{"op":"remove","path":"/metadata/managedFields/0"}]`,
			ownerless: []string{".spec.mode", ".spec.size"}, remaining: []string{".spec.replicas"},
		},
		{
			name: "what the object does not have", entries: []string{applied, stale}, selection: Selection{MissingFields: true}, outcome: report.Configured,
			left:  []string{applied, "kubectl-edit Update lab/v1 .: spec/size"},
			patch: `[{"op":"test","path":"/metadata/resourceVersion","value":"7"},{"op":"replace","path":"/metadata/managedFields/1/fieldsV1","value":{"f:spec":{"f:size":{}}}}]`,
		},
		{
			name: "an entry at a version that is gone", entries: []string{applied, old}, selection: Selection{Unserved: true}, outcome: report.Configured,
			left:      []string{applied},
			patch:     `[{"op":"test","path":"/metadata/resourceVersion","value":"7"},{"op":"remove","path":"/metadata/managedFields/1"}]`,
			ownerless: []string{".spec.size"},
		},
		{
			name: "an old Apply entry may be of a living manager", entries: []string{applied, edited}, selection: Selection{OlderThan: 24 * time.Hour}, outcome: report.Configured,
			left: []string{applied}, spared: 1,
			patch:     `[{"op":"test","path":"/metadata/resourceVersion","value":"7"},{"op":"remove","path":"/metadata/managedFields/1"}]`,
			ownerless: []string{".spec.size"}, remaining: []string{".spec.mode"},
		},
		{
			name:      "no such manager",
			entries:   []string{applied},
			selection: Selection{Managers: []string{"absent"}},
			outcome:   report.Unchanged,
			left:      []string{applied},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := ask(lab.Gadget(tt.entries...), tt.selection)
			if c.Outcome != tt.outcome {
				t.Errorf("%s, want %s: %s", c.Outcome, tt.outcome, c.Message)
			}
			if diff := cmp.Diff(tt.left, lab.Entries(c.Result.Object)); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			patch := ""
			if c.Patch != nil {
				text, err := json.Marshal(c.Patch)
				if err != nil {
					t.Fatal(err)
				}
				patch = string(text)
			}
			if diff := cmp.Diff(tt.patch, patch); diff != "" {
				t.Errorf("patch (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(report.List(tt.ownerless), c.Ownerless); diff != "" {
				t.Errorf("ownerless (-want +got):\n%s", diff)
			}
			var remaining []string
			for _, f := range c.Remaining {
				remaining = append(remaining, f.Field)
			}
			if diff := cmp.Diff(tt.remaining, remaining); diff != "" {
				t.Errorf("remaining (-want +got):\n%s", diff)
			}
			if len(c.Spared) != tt.spared {
				t.Errorf("spared %v, want %d", c.Spared, tt.spared)
			}
		})
	}
}

// TestNextApplies: a cleared manager cannot drop a field with its next apply any more, and
// can again once it has applied it.
func TestNextApplies(t *testing.T) {
	tests := []struct {
		name    string
		entries []string
		clear   string
		manager string
		cleared bool
		is      bool
		probes  []string
	}{
		{
			name: "its own entry is cleared", entries: []string{applied, edited}, clear: "kubectl", manager: "kubectl", cleared: true,
			probes: []string{
				"DropNext .spec.replicas Removed Kept",
				"DropLater .spec.replicas Removed Removed",
				"ChangeLater .spec.replicas Changed Changed",
			},
		},
		{
			name: "that of who shares a field is", entries: []string{applied, edited}, clear: "kubectl-edit", manager: "kubectl",
			probes: []string{
				"DropNext .spec.mode Kept Removed",
				"DropLater .spec.mode Kept Removed",
				"ChangeLater .spec.mode Conflicted Changed",
			},
		},
		{
			name:    "a manager for example, without an apply",
			entries: []string{edited},
			clear:   "*",
			manager: "another-manager",
			is:      true,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := ask(lab.Gadget(tt.entries...), Selection{Managers: []string{tt.clear}})
			if len(c.Next) != 1 || c.Next[0].Manager != tt.manager || c.Next[0].Cleared != tt.cleared || c.Next[0].New != tt.is {
				t.Fatalf("the next applies are %+v", c.Next)
			}
			var probes []string
			for _, p := range c.Next[0].Probes {
				probes = append(probes, string(p.Kind)+" "+p.Field+" "+string(p.Before)+" "+string(p.After))
			}
			if diff := cmp.Diff(tt.probes, probes); diff != "" {
				t.Errorf("probes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestUnstorable: managedFields that are no list of entries can only be reset as a whole.
func TestUnstorable(t *testing.T) {
	live := lab.Gadget()
	live["metadata"].(map[string]any)["managedFields"] = "text"
	if c := ask(live, Selection{}); c.Outcome != report.Configured || len(c.Patch) != 2 || len(c.Findings) == 0 {
		t.Errorf("%s with %v: %v", c.Outcome, c.Patch, c.Findings)
	}
	if c := ask(live, Selection{Managers: []string{"kubectl"}}); c.Outcome != report.Failed {
		t.Errorf("single entries of it are cleared: %s", c.Outcome)
	}
}
