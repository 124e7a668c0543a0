package engine_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// TestTransfers asks who gains and who loses a field, of a server that merges.
func TestTransfers(t *testing.T) {
	server := merging.New()
	server.Custom = map[schema.GroupVersionKind]typed.ParseableType{merging.GadgetKind: merging.GadgetType()}
	gadget := func(spec string) string {
		return `{apiVersion: lab.example.com/v1, kind: Gadget, metadata: {name: g}, spec: ` + spec + `}`
	}
	by := func(verb api.Verb, manager, spec string) merging.Writing {
		return merging.Writing{Verb: verb, Manager: manager, Manifest: gadget(spec)}
	}
	for _, test := range []struct {
		name  string
		live  []merging.Writing
		write merging.Writing
		force bool
		want  []string
	}{
		{"a field of its own", []merging.Writing{by(api.Apply, "b", "{replicas: 1}")}, by(api.Apply, "a", "{paused: true}"), false,
			[]string{".spec.paused a Apply Acquired"}},
		{"a value that is there already", []merging.Writing{by(api.Apply, "b", "{replicas: 1}")}, by(api.Apply, "a", "{replicas: 1}"), false,
			[]string{".spec.replicas a Apply Shared"}},
		{"taken by force", []merging.Writing{by(api.Apply, "b", "{replicas: 1}")}, by(api.Apply, "a", "{replicas: 2}"), true,
			[]string{".spec.replicas a Apply Acquired", ".spec.replicas b Apply Overridden Force"}},
		{"taken by an update", []merging.Writing{by(api.Apply, "b", "{replicas: 1}")}, by(api.Update, "a", "{replicas: 2}"), false,
			[]string{".spec.replicas a Update Acquired", ".spec.replicas b Apply Overridden Update"}},
		{"left to another", []merging.Writing{by(api.Apply, "a", "{replicas: 1, paused: true}"), by(api.Apply, "b", "{replicas: 1}")}, by(api.Apply, "a", "{paused: true}"), false,
			[]string{".spec.replicas a Apply Relinquished"}},
		{"dropped, and gone", []merging.Writing{by(api.Apply, "a", "{replicas: 1, paused: true}")}, by(api.Apply, "a", "{paused: true}"), false,
			[]string{".spec.replicas a Apply Removed"}},
		{"an item, with its key", []merging.Writing{by(api.Apply, "b", "{ports: [{port: 80}]}")}, by(api.Apply, "a", "{ports: [{port: 80, name: web}]}"), false,
			[]string{`.spec.ports[port=80,protocol="TCP"] a Apply Shared`, `.spec.ports[port=80,protocol="TCP"].name a Apply Acquired`, `.spec.ports[port=80,protocol="TCP"].port a Apply Shared`}},
		{"refused", []merging.Writing{by(api.Apply, "b", "{replicas: 1}")}, by(api.Apply, "a", "{replicas: 2}"), false, nil},
		{"the same again", []merging.Writing{by(api.Apply, "a", "{replicas: 1}")}, by(api.Apply, "a", "{replicas: 1}"), false, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := engine.Simulate(t.Context(), server, engine.Write{
				Verb: test.write.Verb, Kind: merging.GadgetKind, Name: "g", Manager: test.write.Manager, Force: test.force,
				Live: server.Object(t, test.live...), Body: merging.JSON(t, test.write.Manifest),
			})
			var got []string
			for _, x := range r.Transfers {
				text := fmt.Sprintf("%s %s %s %s", x.Field, x.Manager, x.Operation, x.Kind)
				if x.Cause != "" {
					text += " " + string(x.Cause)
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s %s (-want +got)\n%s", r.Outcome, r.Error, diff)
			}
		})
	}
}
