package engine_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// applied gives a managed fields entry of manager m for the fields.
func applied(fields string) string {
	return `"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"lab.example.com/v1","fieldsType":"FieldsV1","fieldsV1":` + fields + `}]`
}

func TestReasons(t *testing.T) {
	for _, test := range []struct {
		name               string
		verb               api.Verb
		subresource        string
		live, body, stored string
		admission          []api.AdmissionChange
		want               []string
	}{{
		name:   "asked for, and the generation with it",
		live:   `{"metadata":{"generation":1},"spec":{"replicas":1}}`,
		body:   `{"spec":{"replicas":3}}`,
		stored: `{"metadata":{"generation":2},"spec":{"replicas":3}}`,
		want: []string{
			".metadata.generation Modified 1 2 Strategy",
			".spec.replicas Modified 1 3 Applied",
		},
	}, {
		name:   "another spelling",
		live:   `{}`,
		body:   `{"spec":{"cpu":"1000m"}}`,
		stored: `{"spec":{"cpu":"1"}}`,
		want:   []string{".spec.cpu Added <nil> 1 Normalised"},
	}, {
		name:   "a zero value that is not stored",
		live:   `{"spec":{"paused":true}}`,
		body:   `{"spec":{"paused":false}}`,
		stored: `{"spec":{}}`,
		want:   []string{".spec.paused Removed true <nil> Normalised"},
	}, {
		name:   "no longer applied, and gone",
		live:   `{"metadata":{` + applied(`{"f:spec":{"f:cpu":{}}}`) + `},"spec":{"cpu":"1"}}`,
		body:   `{}`,
		stored: `{}`,
		want:   []string{".spec.cpu Removed 1 <nil> Unowned"},
	}, {
		name:   "no longer applied, and back with its default",
		live:   `{"metadata":{` + applied(`{"f:spec":{"f:replicas":{}}}`) + `},"spec":{"replicas":5}}`,
		body:   `{}`,
		stored: `{"spec":{"replicas":1}}`,
		want:   []string{".spec.replicas Modified 5 1 Defaulted"},
	}, {
		name:   "an item no longer applied goes as one",
		live:   `{"metadata":{` + applied(`{"f:spec":{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}}}`) + `},"spec":{"ports":[{"port":80,"protocol":"TCP"}]}}`,
		body:   `{"spec":{}}`,
		stored: `{"spec":{}}`,
		want:   []string{`.spec.ports[port=80,protocol="TCP"] Removed map[port:80 protocol:TCP] <nil> Unowned`},
	}, {
		name:   "a new item leaf by leaf, its key defaulted",
		live:   `{"spec":{"ports":[{"port":80,"protocol":"TCP"}]}}`,
		body:   `{"spec":{"ports":[{"port":81}]}}`,
		stored: `{"spec":{"ports":[{"port":80,"protocol":"TCP"},{"port":81,"protocol":"TCP"}]}}`,
		want: []string{
			`.spec.ports[port=81,protocol="TCP"].port Added <nil> 81 Applied`,
			`.spec.ports[port=81,protocol="TCP"].protocol Added <nil> TCP Defaulted`,
		},
	}, {
		name:   "an atomic map is one leaf, and its dropped key no reason of its own",
		live:   `{"spec":{"selector":{"a":"1","b":"2"}}}`,
		body:   `{"spec":{"selector":{"a":"1"}}}`,
		stored: `{"spec":{"selector":{"a":"1"}}}`,
		want:   []string{".spec.selector Modified map[a:1 b:2] map[a:1] Applied"},
	}, {
		name:   "items that change places are their list's change",
		verb:   api.Update,
		live:   `{"spec":{"zones":["a","b"]}}`,
		body:   `{"spec":{"zones":["b","a"]}}`,
		stored: `{"spec":{"zones":["b","a"]}}`,
		want:   []string{".spec.zones Modified [a b] [b a] Applied"},
	}, {
		name:   "items of a set by value",
		verb:   api.Update,
		live:   `{"spec":{"zones":["a","b"]}}`,
		body:   `{"spec":{"zones":["b","c"]}}`,
		stored: `{"spec":{"zones":["b","c"]}}`,
		want: []string{
			`.spec.zones[="a"] Removed a <nil> Applied`,
			`.spec.zones[="c"] Added <nil> c Applied`,
		},
	}, {
		name:   "a repeated key makes its items one leaf",
		verb:   api.Update,
		live:   `{"spec":{"ports":[{"port":80},{"port":80,"name":"x"}]}}`,
		body:   `{"spec":{"ports":[{"port":80}]}}`,
		stored: `{"spec":{"ports":[{"port":80}]}}`,
		want:   []string{`.spec.ports[port=80,protocol="TCP"] Modified [map[port:80] map[name:x port:80]] map[port:80] Applied`},
	}, {
		name:      "set by admission",
		live:      `{}`,
		body:      `{"spec":{"replicas":1}}`,
		stored:    `{"spec":{"replicas":1,"options":{"x":1}}}`,
		admission: []api.AdmissionChange{{Plugin: "Priority", Fields: []string{".spec.options", ".spec.replicas"}}},
		want: []string{
			".spec.options.x Added <nil> 1 Admission(Priority)",
			".spec.replicas Added <nil> 1 Applied",
		},
	}, {
		name:   "a merge patch's null",
		verb:   api.MergePatch,
		live:   `{"spec":{"options":{"x":1,"y":2}}}`,
		body:   `{"spec":{"options":null}}`,
		stored: `{"spec":{}}`,
		want: []string{
			".spec.options.x Removed 1 <nil> Applied",
			".spec.options.y Removed 2 <nil> Applied",
		},
	}, {
		name:   "a JSON patch by pointer",
		verb:   api.JSONPatch,
		live:   `{"spec":{"options":{"a/b":1,"y":2},"args":["x"]}}`,
		body:   `[{"op":"test","path":"/spec/replicas","value":1},{"op":"remove","path":"/spec/options/a~1b"},{"op":"add","path":"/spec/args/-","value":"z"},{"op":"add","path":"/spec/cpu","value":"1000m"}]`,
		stored: `{"spec":{"options":{"y":2},"args":["x","z"],"cpu":"1"}}`,
		want: []string{
			".spec.args Modified [x] [x z] Applied",
			".spec.cpu Added <nil> 1 Normalised",
			".spec.options.a/b Removed 1 <nil> Applied",
		},
	}, {
		name:        "a Scale asks for the replicas, wherever they are kept",
		verb:        api.Update,
		subresource: "scale",
		live:        `{"spec":{"options":{"size":1}},"status":{"n":1}}`,
		body:        `{"kind":"Scale","spec":{"replicas":4}}`,
		stored:      `{"spec":{"options":{"size":4}},"status":{"n":2}}`,
		want: []string{
			".spec.options.size Modified 1 4 Applied",
			".status.n Modified 1 2 Strategy",
		},
	}, {
		name:   "a side effect that nobody asked for",
		live:   `{"spec":{"cpu":"1","replicas":1}}`,
		body:   `{"spec":{"replicas":2}}`,
		stored: `{"spec":{"replicas":2}}`,
		want: []string{
			".spec.cpu Removed 1 <nil> Strategy",
			".spec.replicas Modified 1 2 Applied",
		},
	}} {
		t.Run(test.name, func(t *testing.T) {
			verb := test.verb
			if verb == "" {
				verb = api.Apply
			}
			r := engine.Simulate(t.Context(), scripted{do: func(api.Request) (api.Response, error) {
				return api.Response{Code: 200, Stored: []byte(identified(t, test.stored)), Admission: test.admission}, nil
			}}, engine.Write{
				Verb: verb, Kind: gadgetKind, Name: "g", Manager: "m", Subresource: test.subresource,
				Live: []byte(identified(t, test.live)), Body: []byte(test.body),
			})
			got := []string{}
			for _, c := range r.Changes {
				reason := string(c.Reason)
				if c.Detail != "" {
					reason += "(" + c.Detail + ")"
				}
				got = append(got, fmt.Sprintf("%s %s %v %v %s", c.Field, c.Kind, c.Before, c.After, reason))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("changes (-want +got):\n%s\n%s", diff, r.Error)
			}
		})
	}
}

// identified adds apiVersion, kind and name.
func identified(t *testing.T, object string) string {
	t.Helper()
	var m map[string]any
	if err := kjson.Unmarshal([]byte(object), &m); err != nil {
		t.Fatal(err)
	}
	m["apiVersion"], m["kind"] = gadgetKind.ToAPIVersionAndKind()
	metadata, ok := m["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
	}
	metadata["name"] = "g"
	m["metadata"] = metadata
	return string(marshal(t, m))
}

// lines locates the fields that it has.
type lines map[string]int

func (l lines) Line(path fieldpath.Path) (report.Source, bool) {
	n, ok := l[path.String()]
	return report.Source{File: "g.yaml", Document: 1, Line: n}, ok
}

func (l lines) Text(n int) report.Source {
	return report.Source{File: "g.yaml", Document: 1, Line: 100 + n}
}
