package ignore

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/report"
)

func object(t testing.TB, text string) map[string]any {
	t.Helper()
	var m map[string]any
	if err := yaml.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestKeep(t *testing.T) {
	cases := []struct{ name, path, live, object, want string }{
		{"modified", ".spec.replicas", "spec: {replicas: 5, x: 1}", "spec: {replicas: 3, x: 2}", "spec: {replicas: 5, x: 2}"},
		{"no leading dot", "spec.replicas", "spec: {replicas: 5}", "spec: {replicas: 3}", "spec: {replicas: 5}"},
		{"added", ".spec.a", "spec: {}", "spec: {a: 1}", "spec: {}"},
		{"removed", ".spec.a", "spec: {a: 1}", "spec: {}", "spec: {a: 1}"},
		{"parent removed", ".spec.a", "spec: {a: 1}", "{}", "{}"},
		{"parent added", ".spec.a", "{}", "spec: {a: 1, b: 2}", "spec: {b: 2}"},
		{
			"key with dots", ".metadata.annotations.example.com/hash",
			"metadata: {annotations: {example.com/hash: a, example: b}}",
			"metadata: {annotations: {example.com/hash: x, example: y}}",
			"metadata: {annotations: {example.com/hash: a, example: y}}",
		},
		{
			"quoted key", `.metadata.annotations["a[b"]`, "metadata: {annotations: {'a[b': 1}}",
			"metadata: {annotations: {'a[b': 2}}", "metadata: {annotations: {'a[b': 1}}",
		},
		{
			"keyed item", `.c[name="m"].image`, "c: [{name: s, image: s1}, {name: m, image: m1}]",
			"c: [{name: m, image: m2}, {name: s, image: s2}]",
			"c: [{name: m, image: m1}, {name: s, image: s2}]",
		},
		{"two keys", `.p[port=80,protocol="TCP"]`, "p: [{port: 80, x: 1}]", "p: [{port: 80, x: 2}]", "p: [{port: 80, x: 1}]"},
		{
			"item removed", `.c[name="b"]`, "c: [{name: a}, {name: b}, {name: d}]",
			"c: [{name: a}, {name: d}]", "c: [{name: a}, {name: b}, {name: d}]",
		},
		{"item added", `.c[name="b"]`, "c: [{name: a}]", "c: [{name: a}, {name: b}]", "c: [{name: a}]"},
		{"position", ".c[1]", "c: [1, 2, 3]", "c: [1, 5, 3]", "c: [1, 2, 3]"},
		{"value", `.f[="x"]`, "f: [x, y]", "f: [z]", "f: [x, z]"},
		{
			"every item", ".c[*].image", "c: [{name: a, image: 1}, {name: b, image: 1}]",
			"c: [{name: b, image: 2}, {name: n, image: 2}]", "c: [{name: b, image: 1}, {name: n}]",
		},
		{"every item whole", ".c[*]", "c: [1]", "c: [2, 3]", "c: [1]"},
		{
			"every key", ".d.*.v", "d: {a: {v: 1}, b: {v: 1}}", "d: {a: {v: 2}, b: {v: 2, w: 3}}",
			"d: {a: {v: 1}, b: {v: 1, w: 3}}",
		},
		{"other types", ".a.b", "a: [1]", "a: text", "a: text"},
		{"nowhere", ".x.y[0].z", "a: 1", "a: 2", "a: 2"},
	}
	for _, c := range cases {
		f, err := Parse([]string{c.path})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		live, given := object(t, c.live), object(t, c.object)
		got := f.Keep(live, given)
		if diff := cmp.Diff(object(t, c.want), got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
		if diff := cmp.Diff(object(t, c.object), given); diff != "" {
			t.Errorf("%s changes its input: (-want +got)\n%s", c.name, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for path, want := range map[string]string{
		".a[":       `field path ".a[": no closing bracket`,
		"..":        `field path "..": write it as .spec.replicas`,
		".a[b]":     `field path ".a[b]": [b] is no position, key=value, =value or *`,
		".a[b=c]":   `field path ".a[b=c]": [b=c]: the value of b is not JSON: invalid character 'c' looking for beginning of value`,
		".a[b=1;2]": `field path ".a[b=1;2]": [b=1;2]: a comma is missing after the value of b`,
	} {
		_, err := Parse([]string{path})
		if err == nil {
			t.Errorf("%s is a path", path)
			continue
		}
		if diff := cmp.Diff(want, err.Error()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

func TestResult(t *testing.T) {
	f, err := Parse([]string{".spec.replicas"})
	if err != nil {
		t.Fatal(err)
	}
	result := func(image string, changes ...report.Change) report.Result {
		return report.Result{Outcome: report.Configured, Changes: changes,
			Live: object(t, "spec: {replicas: 5, image: a}"), Object: object(t, "spec: {replicas: 3, image: "+image+"}")}
	}
	replicas := report.Change{Field: ".spec.replicas", Kind: report.Modified, Before: int64(5), After: int64(3)}
	image := report.Change{Field: ".spec.image", Kind: report.Modified, Before: "a", After: "b"}
	given := result("a", replicas)
	got, both := f.Result(given), f.Result(result("b", image, replicas))
	if diff := cmp.Diff([]report.Outcome{report.Unchanged, report.Configured}, []report.Outcome{got.Outcome, both.Outcome}); diff != "" {
		t.Errorf("outcomes: (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]report.Change{image}, both.Changes); diff != "" {
		t.Errorf("changes: (-want +got)\n%s", diff)
	}
	counted := report.Change{Field: ".metadata.generation", Kind: report.Modified, Before: int64(1), After: int64(2)}
	generations := func(r report.Result) report.Result {
		r.Live["metadata"], r.Object["metadata"] = map[string]any{
			"generation": int64(1),
		}, map[string]any{
			"generation": int64(2),
		}
		return r
	}
	with, alone := f.Result(generations(result("a", counted, replicas))), f.Result(generations(result("a", counted)))
	if diff := cmp.Diff([]report.Outcome{report.Unchanged, report.Configured}, []report.Outcome{with.Outcome, alone.Outcome}); diff != "" {
		t.Errorf("outcomes with the generation: (-want +got)\n%s", diff)
	}
	if len(with.Changes) != 0 {
		t.Errorf("changes with the generation: %v, want none", with.Changes)
	}
	if diff := cmp.Diff([]string{"it differs in ignored fields only: .spec.replicas"}, got.Notices); diff != "" {
		t.Errorf("notices: (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]report.Change{replicas}, given.Changes); diff != "" {
		t.Errorf("the given result: (-want +got)\n%s", diff)
	}
}

// FuzzKeep checks that any path is refused or used without harm, and that a
// live object keeps itself.
func FuzzKeep(f *testing.F) {
	f.Add(".a.b", "a: {b: 1}", "a: {b: 2}")
	f.Add(`.c[name="x"].v`, "c: [{name: x, v: 1}]", "c: [{name: x, v: 2}]")
	f.Add(".*[*].x", "a: [{x: 1}]", "a: [{x: 2}, 3]")
	f.Fuzz(func(t *testing.T, path, live, text string) {
		filter, err := Parse([]string{path})
		if err != nil {
			return
		}
		var l, o map[string]any
		if yaml.Unmarshal([]byte(live), &l) != nil || yaml.Unmarshal([]byte(text), &o) != nil || l == nil || o == nil {
			return
		}
		if diff := cmp.Diff(l, filter.Keep(l, l)); diff != "" {
			t.Errorf("the live object itself: (-want +got)\n%s", diff)
		}
		filter.Keep(l, o)
	})
}
