package objects

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
)

func configMap(name string, data map[string]any) map[string]any {
	return map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{
		"name": name, "namespace": "shop", "resourceVersion": "7", "uid": "u", "managedFields": []any{map[string]any{"manager": "helm",
			"operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1",
			"fieldsV1": map[string]any{"f:data": map[string]any{"f:a": map[string]any{}}}}},
	}, "data": data}
}

// changes is a write that makes the data of one object that of another.
func changes(name string, before, after map[string]any) report.Result {
	return report.Result{
		Target: report.Target{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: name}, Outcome: report.Configured,
		Live: configMap(name, before), Object: configMap(name, after),
	}
}

func data(pairs ...any) map[string]any {
	out := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i].(string)] = pairs[i+1]
	}
	return out
}

func played(t *testing.T, format func(*strings.Builder) stream.Stream, results ...report.Result) (string, error) {
	t.Helper()
	var out strings.Builder
	err := stream.Play(format(&out), report.Report{Results: results})
	return out.String(), err
}

// TestJSONPatch: each patch makes the resulting object of the live one, tested first against
// its version; what no patch can do is said.
func TestJSONPatch(t *testing.T) {
	patch := func(w *strings.Builder) stream.Stream { return NewJSONPatch(w, Options{}) }
	list := func(items ...any) map[string]any { return data("l", items) }
	const test = `[{"op":"test","path":"/metadata/resourceVersion","value":"7"}`
	for name, tt := range map[string]struct {
		before, after map[string]any
		want          string
	}{
		"nothing": {data("a", "x"), data("a", "x"), test + "]"},
		"a value": {data("a", "x", "b", "y"), data("a", "z", "c", nil), test +
			`,{"op":"replace","path":"/data/a","value":"z"},{"op":"remove","path":"/data/b"},{"op":"add","path":"/data/c","value":null}]`},
		"a key with a slash": {data(), data("a/b~c", "x"), test + `,{"op":"add","path":"/data/a~1b~0c","value":"x"}]`},
		"another type":       {data("a", []any{"x"}), data("a", data()), test + `,{"op":"replace","path":"/data/a","value":{}}]`},
		"inside":             {data("a", data("b", "x")), data("a", data("b", "y")), test + `,{"op":"replace","path":"/data/a/b","value":"y"}]`},
		"an item more":       {list("a", "c"), list("a", "b", "c"), test + `,{"op":"add","path":"/data/l/1","value":"b"}]`},
		"items less": {list("a", "b", "c", "d"), list("a", "d"), test +
			`,{"op":"remove","path":"/data/l/2"},{"op":"remove","path":"/data/l/1"}]`},
		"an item changes": {list(data("n", "a"), "c"), list(data("n", "b"), "c"), test +
			`,{"op":"replace","path":"/data/l/0/n","value":"b"}]`},
	} {
		got, err := played(t, patch, changes("c", tt.before, tt.after))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, compact(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	created, deleted := changes("new", nil, data()), changes("old", data(), nil)
	created.Live, deleted.Operation, deleted.Object = nil, report.Delete, nil
	masked := changes("secret", data("a", "x"), data("a", data("b", []any{"*** (secret 1)", "x"})))
	for name, tt := range map[string]struct {
		r    report.Result
		want string
	}{
		"created": {created, "configmap/new (namespace shop): a patch cannot create an object; -o yaml has it"},
		"deleted": {deleted, "configmap/old (namespace shop): a patch cannot delete an object"},
		"masked":  {masked, "configmap/secret (namespace shop): the patch would have masked values; --show-secrets keeps them"},
	} {
		if _, err := played(t, patch, tt.r); err == nil || err.Error() != tt.want {
			t.Errorf("%s: error %v, want %s", name, err, tt.want)
		}
	}
	got, err := played(t, patch, created, changes("c", data(), data("a", "x")), masked)
	var lack *LackError
	if !errors.As(err, &lack) || lack.More != 1 || !strings.Contains(err.Error(),
		"a patch cannot create an object; -o yaml has it (and 1 more without a patch)") {
		t.Errorf("of several: error %v", err)
	}
	if n := strings.Count(got, `"noPatch"`); n != 2 || !strings.HasPrefix(got, "[\n") ||
		!strings.HasSuffix(got, "\n]\n") ||
		strings.Contains(got, "***") {
		t.Errorf("of several, with %d that have none:\n%s", n, got)
	}
	if got, err := played(t, patch); got != "[]\n" || err != nil {
		t.Errorf("of none %q, %v", got, err)
	}
}

// compact is JSON without what indents it.
func compact(s string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		b.WriteString(strings.Replace(strings.TrimSpace(line), `": `, `":`, 1))
	}
	return b.String()
}

// TestStructured: the changed fields below what holds them, with the others counted, and with
// their owners where they are asked for.
func TestStructured(t *testing.T) {
	long := strings.Repeat("x", 100)
	for name, tt := range map[string]struct {
		o             Options
		before, after map[string]any
		want          string
	}{
		"nothing": {Options{}, data("a", "x"), data("a", "x"), ""},
		"values": {Options{}, data("a", int64(1), "b", "x", "c", "same"), data("a", int64(2), "d", nil, "c", "same"),
			"title\n\n@ .data\n- a: 1\n+ a: 2\n- b: x\n+ d: null\n  … 1 unchanged\n"},
		"with owners": {Options{Owners: true}, data("a", int64(1), "b", "x"), data("a", int64(2), "b", "z"),
			"title\n\n@ .data\nhelm │ - a: 1\nhelm │ + a: 2\n-    │ - b: x\n-    │ + b: z\n"},
		"a map": {Options{}, data("z", "z"), data("z", "z", "m", data("k", []any{"a", data("k1", int64(1), "o", "p"), []any{"q"}},
			"yes", data())), "title\n\n@ .data\n+ m:\n+   k:\n+   - a\n+   - k1: 1\n+     o: p\n+   - - q\n+   \"yes\": {}\n  … 1 unchanged\n"},
		"a text": {Options{}, data("t", "one\ntwo\nthree\nfour\nfive\nsix"), data("t", "one\ntwo\nthree\nfour\nfive\n6"),
			"title\n\n@ .data\n  … 4 equal lines\n    four\n    five\n-   six\n+   6\n"},
		"its beginning": {Options{}, data("t", "one\ntwo\nthree\nfour\nfive"), data("t", "1\ntwo\nthree\nfour\nfive"),
			"title\n\n@ .data\n  t: |-\n-   one\n+   1\n    two\n    three\n  … 2 equal lines\n"},
		"a new text": {Options{}, data("z", "z"), data("z", "z", "t", "one\ntwo\n"),
			"title\n\n@ .data\n+ t: |\n+   one\n+   two\n  … 1 unchanged\n"},
		"without an end": {Options{}, data("t", "one\ntwo", "z", "z"), data("z", "z"),
			"title\n\n@ .data\n- t: |-\n-   one\n-   two\n  … 1 unchanged\n"},
		"all of it is new": {Options{}, data(), data("a", "x"), "title\n\n@ (object)\n- data: {}\n+ data:\n+   a: x\n  … 3 unchanged\n"},
		"a narrow terminal": {Options{Width: 50}, data("z", "z"), data("z", "z", "t", long), "title\n\n@ .data\n+ t: " + strings.Repeat("x",
			21) + "…" + strings.Repeat("x", 23) + "\n  … 1 unchanged\n"},
		"all is asked for": {Options{Width: 50, Verbose: true}, data("z", "z"), data("z", "z", "t", long), "title\n\n@ .data\n+ t: " + long +
			"\n  … 1 unchanged\n"},
		"changes stay in sight": {Options{Width: 50}, data("t", long+" a "+long), data("t", long+" b "+long),
			"title\n\n@ .data\n- t: \"" + strings.Repeat("x", 12) + "…" + strings.Repeat("x", 14) + " a " + strings.Repeat("x", 15) + "…" +
				strings.Repeat("x", 14) + "\"\n" +
				"+ t: \"" + strings.Repeat("x", 12) + "…" + strings.Repeat("x", 14) + " b " + strings.Repeat("x", 15) + "…" + strings.Repeat("x",
				14) + "\"\n"},
	} {
		tt.o.Title = func(report.Result) string { return "title" }
		got, err := played(
			t,
			func(w *strings.Builder) stream.Stream { return NewStructured(w, tt.o) },
			changes("c", tt.before, tt.after),
		)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestObjects: one as it is, several as a List, none as nothing; a refused write has none.
func TestObjects(t *testing.T) {
	a, b, refused := changes("a", nil, data("k", "v")), changes("b", nil, data()), changes("c", nil, data())
	refused.Outcome = report.Conflicted
	yaml := func(o Options) func(*strings.Builder) stream.Stream {
		return func(w *strings.Builder) stream.Stream { return NewYAML(w, o) }
	}
	names := func(w *strings.Builder) stream.Stream { return NewName(w, Options{}) }
	const one = "apiVersion: v1\ndata:\n  k: v\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: shop\n  resourceVersion: \"7\"\n  uid: u\n"
	for name, tt := range map[string]struct {
		format  func(*strings.Builder) stream.Stream
		results []report.Result
		want    string
	}{
		"none": {yaml(Options{}), []report.Result{refused}, ""},
		"one":  {yaml(Options{}), []report.Result{refused, a}, one},
		"several": {yaml(Options{}), []report.Result{a, refused, a}, "apiVersion: v1\nitems:\n" +
			strings.Repeat("- "+strings.ReplaceAll(strings.TrimSuffix(one, "\n"), "\n", "\n  ")+"\n", 2) + "kind: List\nmetadata: {}\n"},
		"names": {names, []report.Result{a, refused, b}, "configmap/a\nconfigmap/b\n"},
	} {
		got, err := played(t, tt.format, tt.results...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if got, err := played(t, yaml(Options{ShowManagedFields: true}), a); err != nil ||
		!strings.Contains(got, "  managedFields:\n") {
		t.Errorf("managed fields are asked for: %v\n%s", err, got)
	}
	if metadata := a.Object["metadata"].(map[string]any); metadata["managedFields"] == nil {
		t.Error("the object that was given is another one now")
	}
}

// TestForDiff: what the server alone keeps is no difference, nor a status that is the same.
func TestForDiff(t *testing.T) {
	r := changes("c", data("a", "x"), data("a", "x"))
	r.Object["metadata"].(map[string]any)["resourceVersion"] = "8"
	r.Object["metadata"].(map[string]any)["managedFields"] = nil
	r.Live["status"], r.Object["status"] = data("s", "t"), data("s", "t")
	for name, tt := range map[string]struct {
		o    Options
		want bool
	}{"usually": {Options{}, false}, "server fields": {Options{ShowServerFields: true}, true},
		"managed fields": {Options{ShowManagedFields: true}, true}} {
		if got, err := Differs(r, tt.o); got != tt.want || err != nil {
			t.Errorf("%s: differs %v, %v", name, got, err)
		}
	}
	if texts, err := TextsOf(r, Options{}); err != nil || strings.Contains(texts.Live, "status") ||
		texts.Live != texts.Merged {
		t.Errorf("the same status is shown: %v\n%s", err, texts.Live)
	}
	r.Outcome = report.Conflicted
	if got, _ := Differs(r, Options{ShowServerFields: true}); got {
		t.Error("a refused write differs")
	}
}
