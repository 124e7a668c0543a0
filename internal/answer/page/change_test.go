package page

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
)

// TestChangeValues: a change in a line; of large values what differs inside.
func TestChangeValues(t *testing.T) {
	env := func(value string, more ...any) []any {
		out := []any{map[string]any{"name": "LOG_LEVEL", "value": value}}
		for _, name := range []string{"A_LONG_NAME", "ANOTHER_LONG_NAME", "A_THIRD_LONG_NAME"} {
			out = append(out, map[string]any{"name": name, "value": "a value"})
		}
		return append(out, more...)
	}
	labels := func(tier any) map[string]any {
		out := map[string]any{
			"app.kubernetes.io/name":     "web",
			"app.kubernetes.io/part-of":  "shop",
			"app.kubernetes.io/instance": "web-1",
		}
		if tier != nil {
			out["tier"] = tier
		}
		return out
	}
	script := func(line string) string {
		return "#!/bin/sh\nset -e\n" + line + "\necho one line that makes the script longer\necho and another one that does\n"
	}
	rules := func(resources ...string) []any {
		var out []any
		for _, r := range append(resources, "pods", "services") {
			out = append(out, map[string]any{"apiGroups": []any{"x"}, "resources": []any{r}, "verbs": []any{"get", "list"}})
		}
		return out
	}
	long := strings.Repeat("a", 70)
	for name, tt := range map[string]struct {
		kind          report.ChangeKind
		before, after any
		want          string
	}{
		"added":                   {report.Added, nil, int64(3), "3"},
		"removed":                 {report.Removed, "x", nil, "was x"},
		"modified":                {report.Modified, int64(5), "5", `5 -> "5"`},
		"short maps as a whole":   {report.Modified, map[string]any{"a": int64(1)}, map[string]any{"a": int64(2)}, "{a: 1} -> {a: 2}"},
		"a field in a large map":  {report.Modified, labels("front"), labels("back"), "inside .tier  front -> back"},
		"one more in a large map": {report.Modified, labels(nil), labels("back"), "adds .tier back"},
		"one less in a large map": {report.Modified, labels("front"), labels(nil), "loses .tier front"},
		"a value in a large list": {report.Modified, env("info"), env("debug"), `inside [name="LOG_LEVEL"].value  info -> debug`},
		"two in a large list":     {report.Modified, env("info"), env("debug", "x"), `[name="LOG_LEVEL"].value  info -> debug, adds x`},
		"an item less":            {report.Modified, env("info", "x"), env("info"), "loses x"},
		"a line of a text":        {report.Modified, script("run a"), script("run b"), "inside line 3  run a -> run b"},
		"a line less":             {report.Modified, script("run a\nrun b"), script("run a"), "loses line 4  run b"},
		"a line more":             {report.Modified, script("run a"), script("run a\nrun b"), "adds line 4  run b"},
		"spaces of a line":        {report.Modified, script("run"), script("  run"), `inside line 3  run -> "  run"`},
		"a verb of a rule": {report.Modified, rules("nodes"), []any{
			map[string]any{"apiGroups": []any{"x"}, "resources": []any{"pods"}, "verbs": []any{"get", "list"}},
			map[string]any{"apiGroups": []any{"x"}, "resources": []any{"nodes"}, "verbs": []any{"get", "list", "watch"}},
			map[string]any{"apiGroups": []any{"x"}, "resources": []any{"services"}, "verbs": []any{"get", "list"}},
		}, "{nodes.x}.verbs adds watch"},
		"many":                      {report.Modified, rules("a", "b", "c", "d"), rules(), "loses {a.x: get, list}, {b.x: get, list}, {c.x: get, list}, … 1 more"},
		"a rule less, and one more": {report.Modified, rules("nodes", "jobs"), rules("jobs", "configmaps"), "loses {nodes.x: get, list}, adds {configmaps.x: get, list}"},
		"a resource of a rule": {report.Modified, rules("nodes", "jobs"), append([]any{map[string]any{
			"apiGroups": []any{"x"}, "resources": []any{"nodes", "secrets"}, "verbs": []any{"get", "list"},
		}}, rules("jobs")...), "[0].resources adds secrets"},
		"a first one that is too long": {report.Modified,
			map[string]any{strings.Repeat("a", 90): long, "z": int64(1)},
			map[string]any{strings.Repeat("a", 90): long + "b", "z": int64(2)},
			"changes ." + strings.Repeat("a", 90) + ", … 1 more"},
		"what differs in long texts": {report.Modified, long + "bcd" + long, long + "xyz" + long,
			"…aaaaaaaaaaaaaaaabcdaaaaaaaaaaa…aaaaaaaaaaaaaaaaaaaaaaaaaaaaa -> …aaaaaaaaaaaaaaaaxyzaaaaaaaaaaa…aaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
		"a value is cut in the middle": {report.Added, nil, strings.Repeat("b", 2*WholeValue), strings.Repeat("b", 200) + "…" +
			strings.Repeat("b", 199)},
	} {
		if diff := cmp.Diff(tt.want, ChangeValues(report.Change{Kind: tt.kind, Before: tt.before, After: tt.after}).String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestInside: each difference has a line of its own, with its sign.
func TestInside(t *testing.T) {
	pad := strings.Repeat("x", 80)
	inside := Inside(
		map[string]any{"a": int64(1), "gone": "b", "list": []any{"one", "two"}, "pad": pad},
		map[string]any{"a": int64(2), "new": []any{}, "list": []any{"two", "two"}, "pad": pad},
	)
	var got string
	for _, l := range inside.Diff().Lines {
		got += l.Kind.Sign() + l.Text.String() + "\n"
	}
	want := "~ .a  1 -> 2\n- .gone  b\n- .list[0]  one\n+ .list[1]  two\n+ .new  []\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if text := inside.Text("below").String(); text != "5 differences inside (below)" {
		t.Errorf("counted as %q", text)
	}
	for name, pair := range map[string][2]any{"scalars": {"a", pad}, "a map and a list": {map[string]any{"a": pad}, pad},
		"texts of a line": {pad, pad + "y"}, "small": {[]any{"a"}, []any{"b"}}} {
		if n := len(Inside(pair[0], pair[1])); n != 0 {
			t.Errorf("%s: %d differences inside", name, n)
		}
	}
}

// TestDiffering: what is cut of two texts is never what differs in them.
func TestDiffering(t *testing.T) {
	for _, tt := range []struct{ a, b, before, after string }{
		{"a", "b", "a", "b"},
		{"0123456789", "0123456789x", "0123456789", "01234…789x"},
		{strings.Repeat("é", 20) + "a", strings.Repeat("é", 20) + "b", "…ééééééééa", "…ééééééééb"},
	} {
		before, after := Differing(tt.a, tt.b, 10)
		if before != tt.before || after != tt.after {
			t.Errorf("Differing(%q, %q) = %q, %q, want %q, %q", tt.a, tt.b, before, after, tt.before, tt.after)
		}
	}
}

// TestChanges: a row a change, with a sign that is stressed.
func TestChanges(t *testing.T) {
	got := Changes(
		[]report.Change{{Field: ".a", Kind: report.Added, After: "x"}, {Field: ".b", Kind: report.Removed, Before: "old"},
			{Field: ".c", Kind: report.Modified, Before: "old", After: "z"}},
	).Rows
	want := [][]model.Text{
		{{model.Good.Of("+")}, {model.Field.Of(".a")}, {model.Value.Of("x")}},
		{{model.Bad.Of("-")}, {model.Field.Of(".b")}, {model.Plain.Of("was "), model.Value.Of("old")}},
		{
			{model.Changed.Of("~")},
			{model.Field.Of(".c")},
			{model.Value.Of("old"), model.Plain.Of(" -> "), model.Value.Of("z")},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
