package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/lab"
)

const (
	former  = "a Apply lab/v1 .: spec/mode spec/replicas"
	both    = "b Apply lab/v1 .: spec/mode spec/size"
	next    = "b Apply lab/v1 .: spec/size"
	updates = "a Update lab/v1 .: spec/mode spec/replicas"
	alone   = "a Update lab/v1 .: spec/mode"
)

// mode is the field that is handed over.
var mode = fieldpath.MakePathOrDie("spec", "mode")

var gadgets = schema.GroupVersionKind{Group: "lab", Version: "v1", Kind: "Gadget"}

func planned(live map[string]any, edit func(*Request)) Plan {
	q := Request{
		Object: engine.Write{Kind: gadgets, Name: "g", LiveObject: live},
		Fields: []fieldpath.Path{mode}, From: "a", To: "b", Between: "between",
	}
	if edit != nil {
		edit(&q)
	}
	return Make(context.Background(), lab.Server{}, q)
}

func appliedManifest(text string) *Manifest {
	return &Manifest{Kind: gadgets, Body: []byte(text), Decoded: lab.Object(text)}
}

// stepsOf are those of the first option: who does what, and the owners of the field then.
func stepsOf(p Plan) []string {
	var out []string
	for _, s := range p.Options[0].Steps {
		var owners []string
		for _, w := range s.States[0].Owners {
			owners = append(owners, w.Manager)
		}
		force := ""
		if s.Force {
			force = " with force"
		}
		out = append(
			out,
			fmt.Sprintf("%s %s%s: %v %s", s.Manager, s.Kind, force, s.States[0].Value.Value, strings.Join(owners, " ")),
		)
	}
	return out
}

func TestMake(t *testing.T) {
	tests := []struct {
		name    string
		entries []string
		edit    func(*Request)
		chosen  OptionKind
		outcome report.Outcome
		steps   []string
		hazards []string
	}{
		{
			name: "from one applier to another", entries: []string{former, next}, chosen: ShareThenDrop, outcome: report.Configured,
			steps:   []string{"b Apply: fast a b", "a Apply: fast b"},
			hazards: []string{"DropFirst a harm", "OldManifest a harm"},
		},
		{
			name: "to one that has it", entries: []string{former, both}, chosen: DropOnly, outcome: report.Configured,
			steps: []string{"a Apply: fast b"}, hazards: []string{"OldManifest a harm"},
		},
		{
			name: "to one that wants another value", entries: []string{former, next}, chosen: ShareThenDrop, outcome: report.Configured,
			edit: func(q *Request) {
				q.ToManifest = appliedManifest(
					`{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"mode":"slow","size":5}}`,
				)
			},
			steps:   []string{"b Apply: fast a b", "a Apply: fast b", "b Apply: slow b"},
			hazards: []string{"DropFirst a harm", "OldManifest a", "OldManifestForced a harm"},
		},
		{
			name: "from one that updates", entries: []string{updates, next}, chosen: ShareThenDrop, outcome: report.Configured,
			steps: []string{"b Apply: fast a b", "a Patch: fast b"}, hazards: []string{"DeleteFirst a harm"},
		},
		{
			name: "to a controller", entries: []string{former}, chosen: HandOverManager, outcome: report.Configured,
			edit:    func(q *Request) { q.Writes = ByUpdate },
			steps:   []string{"between Apply: fast a between", "a Apply: fast between", "b ByItself: fast-other b"},
			hazards: []string{"DropFirst a harm", "ControllerFirst b", "OldManifest a", "OldManifestForced a harm"},
		},
		{
			name: "from one that updates to a controller", entries: []string{updates}, chosen: DisownOnly, outcome: report.Configured,
			edit:  func(q *Request) { q.Writes = ByUpdate },
			steps: []string{"a Patch: fast ", "b ByItself: fast-other b"}, hazards: []string{"DeleteFirst a harm"},
		},
		{
			name:    "it was handed over",
			entries: []string{"a Apply lab/v1 .: spec/replicas", both},
			chosen:  Done,
			outcome: report.Unchanged,
		},
		{name: "nobody owns it", entries: []string{"a Apply lab/v1 .: spec/replicas"}, outcome: report.Invalid},
		{name: "no entries", outcome: report.Failed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := planned(lab.Gadget(tt.entries...), tt.edit)
			if p.Chosen != tt.chosen || p.Outcome != tt.outcome {
				t.Fatalf("%q, %s, want %q, %s: %s %s", p.Chosen, p.Outcome, tt.chosen, tt.outcome, p.Message, p.Reason)
			}
			if len(p.Options) > 0 {
				if diff := cmp.Diff(tt.steps, stepsOf(p)); diff != "" {
					t.Errorf("steps (-want +got):\n%s", diff)
				}
			}
			var hazards []string
			for _, h := range p.Hazards {
				harm := ""
				if h.Harm {
					harm = " harm"
				}
				hazards = append(hazards, string(h.Kind)+" "+h.Manager+harm)
			}
			if diff := cmp.Diff(tt.hazards, hazards); diff != "" {
				t.Errorf("hazards (-want +got):\n%s", diff)
			}
		})
	}
}

// TestResume: where a step fails, a plan for what the steps before it leave goes on from
// there.
func TestResume(t *testing.T) {
	controller := func(q *Request) { q.Writes = ByUpdate }
	another := func(q *Request) {
		q.ToManifest = appliedManifest(
			`{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"mode":"slow","size":5}}`,
		)
	}
	tests := []struct {
		name    string
		entries []string
		edit    func(*Request)
		want    []OptionKind
	}{
		{"one applier to another", []string{former, next}, nil, []OptionKind{DropOnly}},
		{"one that wants another value", []string{former, next}, another, []OptionKind{DropOnly, Done}},
		{"one that updates", []string{updates, next}, nil, []OptionKind{DropOnly}},
		{"to a controller", []string{former}, controller, []OptionKind{HandOverManager, Done}},
		{"updates to a controller", []string{updates}, controller, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := Request{
				Object: engine.Write{Kind: gadgets, Name: "g", LiveObject: lab.Gadget(tt.entries...)},
				Fields: []fieldpath.Path{mode}, From: "a", To: "b", Between: "between",
			}
			if tt.edit != nil {
				tt.edit(&q)
			}
			object, err := ownership.Of(t.Context(), lab.Server{}, q.Object)
			if err != nil {
				t.Fatal(err)
			}
			s, err := newSubject(object, q)
			if err != nil {
				t.Fatal(err)
			}
			best := planner{steps{s}}.options()[0]
			for i, want := range tt.want {
				again := planned(best.stages[i+1], tt.edit)
				if again.Chosen != want || again.Fields[0].Value.Value != "fast" {
					t.Errorf("after step %d: %q with %v, want %q: %s", i+1, again.Chosen, again.Fields[0].Value, want, again.Reason)
				}
			}
		})
	}
}

// TestPatch: a patch tests the entry that it means, and an entry that owns nothing else
// goes with the field, by a reset where it is the only one.
func TestPatch(t *testing.T) {
	controller := func(q *Request) { q.Writes = ByUpdate }
	tests := []struct {
		name    string
		entries []string
		want    string
	}{
		{
			"more is owned", []string{next, updates},
			`[{"op":"test","path":"/metadata/managedFields/1/manager","value":"a"},{"op":"test","path":"/metadata/managedFields/1/operation","value":"Update"},` +
				`{"op":"replace","path":"/metadata/managedFields/1/fieldsV1","value":{"f:spec":{"f:replicas":{}}}}]`,
		},
		{
			"nothing else is", []string{next, alone},
			`[{"op":"test","path":"/metadata/managedFields/1/manager","value":"a"},{"op":"test","path":"/metadata/managedFields/1/operation","value":"Update"},` +
				`{"op":"remove","path":"/metadata/managedFields/1"}]`,
		},
		{
			"it is the only entry", []string{alone},
			`[{"op":"test","path":"/metadata/managedFields/0/manager","value":"a"},{"op":"test","path":"/metadata/managedFields/0/operation","value":"Update"},` +
				`{"op":"replace","path":"/metadata/managedFields","value":[{}]}]`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := planned(lab.Gadget(tt.entries...), controller)
			text, err := json.Marshal(p.Options[0].Steps[0].Patch)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(text)); diff != "" {
				t.Errorf("patch (-want +got):\n%s", diff)
			}
		})
	}
}
