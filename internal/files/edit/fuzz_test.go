package edit

import (
	"bytes"
	"errors"
	"maps"
	"reflect"
	"slices"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/document"
)

var seeds = []string{
	deployment,
	"a: &x {b: 1, c: [1, 2]}\nd:\n  <<: *x\n  e: *x\n",
	"{\n  \"a\": {\"b\": [1, {\"c\": null}]},\n  \"d\": \"\\ud83d\\ude00\"\n}\n",
	"a: |+\n  x\n\n\nb: >-2\n    y\n  z\nc: 'q\n  r'\nd: \"s\\\n  t\"\n",
	"- a\n", "? a\n: b\n? [c]\n: d\n", "a:\n- - 1\n  - - 2\n- {b: [c, # d\n  e]}\n",
	"\xEF\xBB\xBFa: 1\r\nb:\r\n  # c\r\n  d: e\r\n...\r\n", "--- # x\na: !!str &y 1\nb: !t\n  c: 1\nd:\n",
	"a: {{ .x }}\n", "a: x {{ .x }}\nb: '{{ .x }}'\n", "a: b\n  c # d\n\n# e\n\nf: g\n", "a:\n#b\n c:\n  d: 1\n#e\n",
	"a: \u2028b\nc:\u0085d: e\n", "y: 1\nn: {on: 2}\n1.0: 3\n~: 4\n", "a:\n- b: 1 # x\n  # y\n  c: 2\n-\n  d: 3\n- # z\n  e: 4\n",
}

// everyPath gives the paths of a tree, by names and positions.
func everyPath(tree any, prefix fieldpath.Path, found []fieldpath.Path) []fieldpath.Path {
	found = append(found, prefix.Copy())
	switch v := tree.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			found = everyPath(v[name], append(prefix, fieldpath.FieldNameElement(name)), found)
		}
	case []any:
		for i := range v {
			found = everyPath(v[i], append(prefix, fieldpath.IndexElement(i)), found)
		}
	}
	return found
}

// placeOf is the place of a path of names and positions.
func placeOf(p fieldpath.Path) place {
	var at place
	for _, element := range p {
		if element.FieldName != nil {
			at = append(at, *element.FieldName)
		} else {
			at = append(at, *element.Index)
		}
	}
	return at
}

// FuzzRemove: a removal is refused, or the new text says what the former said
// without the field and the parents that have nothing else, and all lines but those of
// the field are the same.
func FuzzRemove(f *testing.F) {
	for i, seed := range seeds {
		f.Add([]byte(seed), uint(3*i))
	}
	f.Fuzz(func(t *testing.T, text []byte, which uint) {
		doc, err := Document(text)
		if err != nil {
			return
		}
		former := doc.tree
		paths := everyPath(doc.tree, nil, nil)
		p := paths[which%uint(len(paths))]
		if err := doc.Remove(p); err != nil {
			refusedUnchanged(t, doc, text, err)
			return
		}
		if at := placeOf(p); !isRemoval(former, mustRead(t, doc), at) {
			t.Errorf("without %s the text is %q", p, doc.Bytes())
		}
		oneHunk(t, text, doc.Bytes())
	})
}

// FuzzSet: a value is refused, or the new text says what the former said with
// that value.
func FuzzSet(f *testing.F) {
	for i, seed := range seeds {
		f.Add([]byte(seed), uint(3*i), "", "text\nof lines\n")
		f.Add([]byte(seed), uint(2*i), "new", "{\"json\": [1, null]}")
	}
	f.Fuzz(func(t *testing.T, text []byte, which uint, below, content string) {
		doc, err := Document(text)
		if err != nil {
			return
		}
		former := doc.tree
		paths := everyPath(doc.tree, nil, nil)
		p := paths[which%uint(len(paths))]
		if below != "" {
			p = append(p, fieldpath.FieldNameElement(below))
		}
		value, err := document.Value([]byte(content), true)
		if err != nil {
			value = content
		}
		if value, err = document.Normal(value); err != nil {
			return
		}
		if err := doc.Set(p, value); err != nil {
			refusedUnchanged(t, doc, text, err)
			return
		}
		mustSay(t, doc, withAll(former, placeOf(p), value))
	})
}

// withAll is with, where a value that is null becomes a mapping.
func withAll(tree any, at place, value any) any {
	if parent, found := lookup(tree, at[:len(at)-1]); found && parent == nil {
		return with(tree, at[:len(at)-1], map[string]any{at[len(at)-1].(string): value})
	}
	return with(tree, at, value)
}

func lookup(tree any, at place) (any, bool) {
	for _, step := range at {
		inner, found := child(tree, step)
		if !found {
			return nil, false
		}
		tree = inner
	}
	return tree, true
}

// isRemoval reports whether a tree is a former one without the value at a place, up to a
// parent that had nothing else: that goes too, or stays empty.
func isRemoval(former, is any, at place) bool {
	for ; len(at) > 0; at = at[:len(at)-1] {
		if reflect.DeepEqual(without(former, at), is) {
			return true
		}
		around, _ := lookup(former, at[:len(at)-1])
		fields, _ := around.(map[string]any)
		if items, _ := around.([]any); len(fields)+len(items) > 1 {
			return false
		}
	}
	return false
}

// isRefused reports whether an edit was refused for a reason.
func isRefused(err error, reason Reason) bool {
	var refused *RefusedError
	return errors.As(err, &refused) && refused.Reason == reason
}

func refusedUnchanged(t *testing.T, doc *Doc, text []byte, err error) {
	t.Helper()
	var refused *RefusedError
	if !errors.As(err, &refused) {
		t.Errorf("untyped error %v", err)
	}
	if !bytes.Equal(text, doc.Bytes()) {
		t.Errorf("refused, and yet %q became %q", text, doc.Bytes())
	}
}

func mustRead(t *testing.T, doc *Doc) any {
	t.Helper()
	again, err := Document(doc.Bytes())
	if err != nil {
		t.Fatalf("%q: %v", doc.Bytes(), err)
	}
	return again.tree
}

func mustSay(t *testing.T, doc *Doc, want any) {
	t.Helper()
	if got := mustRead(t, doc); !reflect.DeepEqual(want, got) {
		t.Errorf("%q says %v, want %v", doc.Bytes(), got, want)
	}
}

// oneHunk checks that the lines above and below a removal are the same: what
// is left after the common lines is less than what was there.
func oneHunk(t *testing.T, former, now []byte) {
	t.Helper()
	a, b := bytes.SplitAfter(former, []byte("\n")), bytes.SplitAfter(now, []byte("\n"))
	for len(a) > 0 && len(b) > 0 && bytes.Equal(a[0], b[0]) {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && bytes.Equal(a[len(a)-1], b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(b) > 1 {
		t.Errorf("%q became %q: %d lines are new", former, now, len(b))
	}
}
