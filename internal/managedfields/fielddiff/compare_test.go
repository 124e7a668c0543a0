package fielddiff

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func object(t testing.TB, text string) map[string]any {
	t.Helper()
	var m map[string]any
	if err := yaml.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// told writes hunks as short lines.
func told(hunks []Hunk) []string {
	var out []string
	for _, h := range hunks {
		out = append(out, fmt.Sprintf("@ %s, %d unchanged", h.Path, h.Unchanged))
		for _, c := range h.Changes {
			switch c.Kind {
			case Moved:
				out = append(out, fmt.Sprintf("> %s %d to %d", c.Path, c.From, c.To))
			case Modified:
				out = append(out, fmt.Sprintf("~ %s %v to %v", c.Path, c.Before, c.After))
			case Added:
				out = append(out, fmt.Sprintf("+ %s %v", c.Path, c.After))
			case Removed:
				out = append(out, fmt.Sprintf("- %s %v", c.Path, c.Before))
			}
		}
	}
	return out
}

const ports = `metadata: {managedFields: [{manager: m, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:ports": {'k:{"port":80,"protocol":"TCP"}': {}}, "f:set": {'v:"x"': {}}}}]}`

func TestCompare(t *testing.T) {
	cases := []struct {
		name, before, after, source string
		want                        []string
	}{
		{name: "equal", before: "a: {b: [1]}", after: "a: {b: [1]}"},
		{name: "fields", before: "a: {b: 1, c: 2, d: 3}", after: "a: {b: 1, c: 5, e: 4}",
			want: []string{"@ .a, 1 unchanged", "~ .a.c 2 to 5", "- .a.d 3", "+ .a.e 4"}},
		{name: "parent before child", before: "a: {b: 1}\nz: 1", after: "a: {b: 2}\nz: 2",
			want: []string{"@ , 0 unchanged", "~ .z 1 to 2", "@ .a, 0 unchanged", "~ .a.b 1 to 2"}},
		{
			name:   "moved and modified",
			before: "c: [{name: a, v: 1}, {name: b, v: 1}, {name: d, v: 1}]",
			after:  "c: [{name: d, v: 1}, {name: a, v: 2}, {name: b, v: 1}]",
			want: []string{
				"@ .c, 1 unchanged", `> .c[name="d"] 3 to 1`, `@ .c[name="a"], 1 unchanged`,
				`~ .c[name="a"].v 1 to 2`,
			},
		},
		{name: "item removed and added", before: "c: [{name: a}, {name: b}]", after: "c: [{name: b}, {name: e}]",
			want: []string{"@ .c, 1 unchanged", `- .c[name="a"] map[name:a]`, `+ .c[name="e"] map[name:e]`}},
		{
			name:   "keys from managed fields",
			before: "ports: [{port: 80, protocol: TCP, x: 1}]",
			after:  "ports: [{port: 80, protocol: TCP, x: 2}]",
			source: ports,
			want:   []string{`@ .ports[port=80,protocol="TCP"], 2 unchanged`, `~ .ports[port=80,protocol="TCP"].x 1 to 2`},
		},
		{name: "set", before: "set: [x, y]", after: "set: [y, z]", source: ports,
			want: []string{"@ .set, 1 unchanged", `- .set[="x"] x`, `+ .set[="z"] z`}},
		{
			name:   "atomic list",
			before: "args: [a, b]",
			after:  "args: [b, a]",
			want:   []string{"@ , 0 unchanged", "~ .args [a b] to [b a]"},
		},
		{name: "keys twice", before: "c: [{name: a}, {name: a}]", after: "c: [{name: a}]",
			want: []string{"@ , 0 unchanged", "~ .c [map[name:a] map[name:a]] to [map[name:a]]"}},
		{
			name:   "other type",
			before: "a: {b: 1}",
			after:  "a: text",
			want:   []string{"@ , 0 unchanged", "~ .a map[b:1] to text"},
		},
	}
	for _, c := range cases {
		got := told(Compare(object(t, c.before), object(t, c.after), Learn(object(t, c.source))))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
}

// FuzzCompare checks that hunks are there exactly where objects differ, and
// that no hunk is empty.
func FuzzCompare(f *testing.F) {
	f.Add("a: [{name: x}]", "a: [{name: y}, {name: x}]", ports)
	f.Add("ports: [{port: 80}, 1]", "ports: [[], null]", ports)
	f.Fuzz(func(t *testing.T, before, after, source string) {
		var a, b, s map[string]any
		for text, into := range map[string]*map[string]any{before: &a, after: &b, source: &s} {
			if yaml.Unmarshal([]byte(text), into) != nil {
				return
			}
		}
		hunks := Compare(a, b, Learn(s))
		for _, h := range hunks {
			if len(h.Changes) == 0 {
				t.Errorf("%s has no change", h.Path)
			}
		}
		if len(Compare(a, a, Learn(s))) > 0 {
			t.Errorf("%v differs from itself", a)
		}
		if len(a)+len(b) > 0 && cmp.Equal(a, b) != (len(hunks) == 0) {
			t.Errorf("%v to %v has %d hunks", a, b, len(hunks))
		}
	})
}
