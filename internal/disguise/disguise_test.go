package disguise

import (
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func tree(t *testing.T, text string) any {
	t.Helper()
	var out any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestText: another text has the same length and separators, and no character of the first that says anything.
func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "hunter2": "ivoufs3", "aZ09-_.z9": "bA10-_.a0", "postgres://u:p@h/d": "qptuhsft://v:q@i/e",
		"пароль": "жжжжжж", "ж": "я", "--": "--", "\xff\x00a": "\x00\x01b",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("hunter2")
	f.Add("\xff")
	f.Fuzz(func(t *testing.T, text string) {
		got := Text(text)
		if utf8.RuneCountInString(got) != utf8.RuneCountInString(text) && utf8.ValidString(text) {
			t.Errorf("%q becomes %q, of another length", text, got)
		}
	})
}

// TestDiffering: the law is that the values are the same once what is at the paths is replaced in both.
func TestDiffering(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want []string
	}{
		{`{a: x, b: {c: y}}`, `{a: x, b: {c: y}}`, nil},
		{`{a: x, b: {c: y, d: z}}`, `{a: x, b: {c: w, d: z}}`, []string{".b.c"}},
		{`{a: {a.b/c: x}}`, `{a: {a.b/c: y}}`, []string{".a.a.b/c"}},
		{`{a: {k: x}}`, `{a: {l: x}}`, []string{".a"}},
		{`{a: [x, y]}`, `{a: [x, z]}`, []string{".a"}},
		{`{a: [{name: web, env: [{name: P, value: x}, {name: Q, value: q}]}]}`, `{a: [{name: web, env: [{name: P, value: w}, {name: Q, value: q}]}]}`,
			[]string{`.a[name="web"].env[name="P"].value`}},
		{`{a: [{name: web, v: x}, {name: web, v: q}]}`, `{a: [{name: web, v: x}, {name: web, v: z}]}`, []string{".a"}},
		{`{a: [{name: web, v: x}]}`, `{a: [{name: m, v: x}]}`, []string{".a"}},
		{`{a: [x]}`, `{a: [x, y]}`, []string{".a"}},
		{`{a: 1}`, `{a: "1"}`, []string{".a"}},
		{`{a: {b: x}}`, `{a: x}`, []string{".a"}},
	} {
		a, b := tree(t, test.a), tree(t, test.b)
		var got []string
		for _, p := range Differing(a, b) {
			got = append(got, p.String())
			hide := func(any) any { return "***" }
			a, b = p.In(a, hide), p.In(b, hide)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s and %s (-want +got):\n%s", test.a, test.b, diff)
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%s and %s differ elsewhere too (-a +b):\n%s", test.a, test.b, diff)
		}
		if diff := cmp.Diff(tree(t, test.a), tree(t, test.a)); diff != "" {
			t.Error(diff)
		}
	}
}

// TestIn changes what is at a path, in a copy; a path that leads nowhere changes nothing.
func TestIn(t *testing.T) {
	const text = `{spec: {containers: [{name: a, image: x}, {name: b, image: q}], size: 1}}`
	object := tree(t, text)
	for _, test := range []struct {
		path Path
		want string
	}{
		{Path{"spec", "containers", Item("b"), "image"}, `{spec: {containers: [{name: a, image: x}, {name: b, image: r}], size: 1}}`},
		{Path{"spec", "size"}, `{spec: {containers: [{name: a, image: x}, {name: b, image: q}], size: 2}}`},
		{Path{"spec", "containers", Item("c"), "image"}, text},
		{Path{"status", "x"}, text},
		{Path{"spec", "size", "deeper"}, text},
	} {
		if diff := cmp.Diff(tree(t, test.want), test.path.In(object, Value)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.path, diff)
		}
		if diff := cmp.Diff(tree(t, text), object); diff != "" {
			t.Fatalf("%s changes what is given:\n%s", test.path, diff)
		}
	}
	if diff := cmp.Diff([]string{"spec", "containers"}, Path{"spec", "containers", Item("b"), "image"}.Names()); diff != "" {
		t.Error(diff)
	}
}
