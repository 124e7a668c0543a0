package transfer

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
	"github.com/ssactl/ssactl/test/lab"
)

// TestKeysAreItems: the key of an item is handed over with the item.
func TestKeysAreItems(t *testing.T) {
	item := fieldpath.KeyByFields("port", int64(80))
	for _, tt := range []struct{ path, want fieldpath.Path }{
		{fieldpath.MakePathOrDie("spec", "ports", item, "port"), fieldpath.MakePathOrDie("spec", "ports", item)},
		{fieldpath.MakePathOrDie("spec", "ports", item, "name"), fieldpath.MakePathOrDie("spec", "ports", item, "name")},
		{fieldpath.MakePathOrDie("spec", "ports", item), fieldpath.MakePathOrDie("spec", "ports", item)},
		{fieldpath.MakePathOrDie("spec", "mode"), fieldpath.MakePathOrDie("spec", "mode")},
	} {
		p := planned(lab.Gadget(former), func(q *Request) { q.Fields = []fieldpath.Path{tt.path, tt.want} })
		if len(p.Fields) != 1 || p.Fields[0].Field != tt.want.String() {
			t.Errorf("%s is handed over as %v, want %s", tt.path, p.Fields, tt.want)
		}
	}
}

func TestProblem(t *testing.T) {
	p := planner{steps{&subject{
		q:      Request{From: "a", To: "b"},
		fields: []handed{{field: ".x", value: conflict.Value{Value: int64(1)}}},
	}}}
	state := func(v int64, owners ...string) []State {
		s := State{Field: ".x", Value: conflict.Value{Value: v}}
		for _, o := range owners {
			s.Owners = append(s.Owners, report.Writer{Manager: o})
		}
		return []State{s}
	}
	tests := []struct {
		name  string
		steps []Step
		want  string
	}{
		{"no steps", nil, "there is nothing to do"},
		{"shared, then dropped", []Step{{States: state(1, "a", "b")}, {States: state(1, "b")}}, ""},
		{"dropped, then taken", []Step{{States: state(0)}, {States: state(1, "b")}}, "step 1 changes .x"},
		{"changed when it is meant", []Step{{States: state(1, "a", "b")}, {States: state(2, "b"), Meant: true}}, ""},
		{"the former owner stays", []Step{{States: state(1, "a", "b")}}, "a still owns it in the end"},
		{"left unowned", []Step{{States: state(1)}}, "b does not own it in the end"},
		{
			"a controller that was not simulated",
			[]Step{{States: state(1), Kind: ByItself, NotSimulated: text.New("no value")}},
			"",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, p.problem(Option{Steps: tt.steps}).String()); diff != "" {
				t.Errorf("problem (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnnotationWithout(t *testing.T) {
	p := &subject{Object: &ownership.Object{}, fields: []handed{{path: fieldpath.MakePathOrDie("spec", "replicas")}}}
	tests := []struct {
		name, note, want string
		found            bool
	}{
		{
			"it has the field",
			`{"kind":"K","spec":{"replicas":3,"paused":true}}`,
			`{"kind":"K","spec":{"paused":true}}` + "\n",
			true,
		},
		{"the parent goes with it", `{"kind":"K","spec":{"replicas":3}}`, `{"kind":"K"}` + "\n", true},
		{"it has not", `{"kind":"K"}`, "", false},
		{"cut", `{"kind":"K","spec":{"repl`, "", false},
		{"no object", `[1]`, "", false},
		{"empty", ``, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			object := map[string]any{"metadata": map[string]any{"annotations": map[string]any{client.LastApplied: tt.note}}}
			got, found := p.annotationWithout(object)
			if diff := cmp.Diff(tt.want, got); diff != "" || found != tt.found {
				t.Errorf("found %v (-want +got):\n%s", found, diff)
			}
		})
	}
}
