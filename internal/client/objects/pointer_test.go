package objects

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/test/applies"
)

// TestPointer reads, removes and sets what is at JSON pointers; what leads nowhere changes
// nothing.
func TestPointer(t *testing.T) {
	const text = `{a/b: 1, list: [x, {q: 2}, z], deep: {inner: {k: v}}}`
	for _, test := range []struct {
		Pointer string
		// value is what is there; nil for nothing.
		value          any
		removed, toNew string
	}{
		{"/a~1b", int64(1), `{list: [x, {q: 2}, z], deep: {inner: {k: v}}}`, `{a/b: new, list: [x, {q: 2}, z], deep: {inner: {k: v}}}`},
		{"/list/1/q", int64(2), `{a/b: 1, list: [x, {}, z], deep: {inner: {k: v}}}`, `{a/b: 1, list: [x, {q: new}, z], deep: {inner: {k: v}}}`},
		{"/list/0", "x", `{a/b: 1, list: [{q: 2}, z], deep: {inner: {k: v}}}`, `{a/b: 1, list: [new, {q: 2}, z], deep: {inner: {k: v}}}`},
		{"/deep/inner", map[string]any{"k": "v"}, `{a/b: 1, list: [x, {q: 2}, z], deep: {}}`, `{a/b: 1, list: [x, {q: 2}, z], deep: {inner: new}}`},
		{"/list/3", nil, text, text},
		{"/list/-", nil, text, text},
		{"/list/x/q", nil, text, text},
		{"/a~1b/c", nil, text, text},
		{"/none/k", nil, text, text},
		{"/fresh", nil, text, `{fresh: new, a/b: 1, list: [x, {q: 2}, z], deep: {inner: {k: v}}}`},
	} {
		p := ParsePointer(test.Pointer)
		value, has := p.Get(applies.Object(t, text))
		if diff := cmp.Diff(test.value, value); has != (test.value != nil) || has && diff != "" {
			t.Errorf("%s: %v, %v, want %v", test.Pointer, value, has, test.value)
		}
		removed := applies.Object(t, text)
		p.Remove(removed)
		if diff := cmp.Diff(applies.Object(t, test.removed), removed); diff != "" {
			t.Errorf("without %s (-want +got):\n%s", test.Pointer, diff)
		}
		set := applies.Object(t, text)
		p.Set(set, "new")
		if diff := cmp.Diff(applies.Object(t, test.toNew), set); diff != "" {
			t.Errorf("with another %s (-want +got):\n%s", test.Pointer, diff)
		}
	}
	if p := ParsePointer("data/k"); p != nil {
		t.Errorf("no pointer is read as %v", p)
	}
	if _, has := ParsePointer("data/k").Get(applies.Object(t, text)); has {
		t.Error("what is no pointer is found")
	}
}

// TestLocated: a field of the server's is where its list item stands in an object.
func TestLocated(t *testing.T) {
	path := fieldpath.MakePathOrDie("spec", "ports", fieldpath.KeyByFields("port", 80), "name")
	got := Located(path, applies.Object(t, `{spec: {ports: [{port: 53}, {port: 80, name: web}]}}`))
	if diff := cmp.Diff([]Pointer{{"spec", "ports", "1", "name"}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
