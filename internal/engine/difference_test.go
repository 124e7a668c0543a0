package engine_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
)

func TestDifference(t *testing.T) {
	shape := managedfields.ShapeOf(gadgetType())
	for _, test := range []struct {
		name, before, after string
		want                []string
	}{
		{"nothing", `{"spec":{"replicas":1,"zones":["a","b"]}}`, `{"spec":{"replicas":1.0,"zones":["a","b"]}}`, nil},
		{"null and absent differ", `{"spec":{"cpu":null}}`, `{"spec":{}}`, []string{".spec.cpu Removed <nil> <nil>"}},
		{"managed fields do not count", `{"metadata":{"name":"a","managedFields":[1]}}`, `{"metadata":{"name":"a"}}`, nil},
		{"an item goes as one, and comes leaf by leaf",
			`{"spec":{"ports":[{"port":80},{"port":81}]}}`, `{"spec":{"ports":[{"port":80,"name":"a"},{"port":82}]}}`,
			[]string{`.spec.ports[port=80,protocol="TCP"].name Added <nil> a`, `.spec.ports[port=81,protocol="TCP"] Removed map[port:81] <nil>`, `.spec.ports[port=82,protocol="TCP"].port Added <nil> 82`}},
		{"an order is a leaf", `{"spec":{"zones":["a","b"]}}`, `{"spec":{"zones":["b","a"]}}`, []string{".spec.zones Modified [a b] [b a]"}},
		{"a repeated key is a leaf of all its items", `{"spec":{"ports":[{"port":80},{"port":80}]}}`, `{"spec":{"ports":[{"port":80}]}}`,
			[]string{`.spec.ports[port=80,protocol="TCP"] Modified [map[port:80] map[port:80]] map[port:80]`}},
		{"an item without a key makes the list a leaf", `{"spec":{"ports":[{"port":80}]}}`, `{"spec":{"ports":["x"]}}`, []string{".spec.ports Modified [map[port:80]] [x]"}},
		{"an atomic map is a leaf", `{"spec":{"selector":{"a":"1"}}}`, `{"spec":{"selector":{"a":"1","b":"2"}}}`, []string{".spec.selector Modified map[a:1] map[a:1 b:2]"}},
		{"an atomic list is a leaf", `{"spec":{"args":["a"]}}`, `{"spec":{"args":["a","b"]}}`, []string{".spec.args Modified [a] [a b]"}},
		{"another type", `{"spec":{"options":{"a":{}}}}`, `{"spec":{"options":{"a":[]}}}`, []string{".spec.options.a Modified map[] []"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, l := range engine.Difference(shape, decoded(t, test.before), decoded(t, test.after)) {
				got = append(got, fmt.Sprintf("%s %s %v %v", l.Field, l.Kind, l.Before, l.After))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func decoded(t *testing.T, text string) map[string]any {
	t.Helper()
	var v map[string]any
	decoder := json.NewDecoder(strings.NewReader(text))
	if err := decoder.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestStores: what is stored may have more keys than were asked for, and nothing else.
func TestStores(t *testing.T) {
	for _, test := range []struct {
		stored, asked string
		want          bool
	}{
		{`1`, `1.0`, true},
		{`"1"`, `1`, false},
		{`{"a":1,"b":2}`, `{"a":1}`, true},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`{"a":1}`, `{"a":1,"b":null}`, true},
		{`{"a":null}`, `{"a":null}`, true},
		{`[{"a":1,"b":2}]`, `[{"a":1}]`, true},
		{`[1,2]`, `[1]`, false},
		{`[]`, `{}`, false},
		{`null`, `0`, false},
	} {
		var stored, asked any
		if json.Unmarshal([]byte(test.stored), &stored) != nil || json.Unmarshal([]byte(test.asked), &asked) != nil {
			t.Fatal("no JSON")
		}
		if got := engine.Stores(stored, asked); got != test.want {
			t.Errorf("%s stores %s: %v", test.stored, test.asked, got)
		}
	}
}
