package document

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// said is what a node says, and the lines of its keys and items.
func said(n *Node) any {
	switch n.Kind {
	case Mapping:
		fields := []any{}
		for _, e := range n.Entries {
			fields = append(fields, []any{e.Key, e.Line, said(e.Value)})
		}
		return fields
	case Sequence:
		items := []any{"items"}
		for _, e := range n.Entries {
			items = append(items, e.Line, said(e.Value))
		}
		return items
	}
	return n.Kind
}

// FuzzNodes: the spans of nodes lie within each other, in the order of the text, however
// it is read; and what can be read in one way only has the same keys and items, on the same
// lines, for the fast reader as for the library.
func FuzzNodes(f *testing.F) {
	for _, seed := range []string{
		"a: 1\nb:\n- c\n- d: e # f\n  g: |\n    h\n\n-\n  i: 'j\n\n    k'\n", "{\"a\": [1, {\"b\": null}],\n\"c\": \"\\u00e9\\/\"}",
		"a: &x {b: 1, c: [1, 2]}\nd:\n  <<: *x\n  e: *x\n", "a: {b: c,\n  d: [e,\n  f]}\n", "? a\n: b\n", "a:\n- - 1\n  - 2\n", "y: 1\n\"n\": 2\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if IsJSON(text) {
			checkSpans(t, text, JSON(text))
		}
		parsed, err := YAML(text)
		if err != nil {
			return
		}
		if located := Located(text); located != nil {
			if diff := cmp.Diff(said(parsed), said(located)); diff != "" {
				t.Errorf("%q (-library +fast):\n%s", text, diff)
			}
		}
	})
}

func checkSpans(t *testing.T, text []byte, n *Node) {
	t.Helper()
	n.Walk(func(n *Node) {
		if !n.Sound() || n.Start >= n.End || n.End > len(text) || text[n.Start] != n.Lead {
			t.Errorf("%q: a node from %d to %d is not sound", text, n.Start, n.End)
		}
	})
}

// TestShared: an alias counts for the anchor that it means, not for another of its name.
func TestShared(t *testing.T) {
	root, err := YAML([]byte("a: &x 1\nb: [&x 2, *x]\nc: *x\n? &k d\n: *k\n"))
	if err != nil {
		t.Fatal(err)
	}
	aliases := root.Aliases()
	for i, want := range []bool{false, true, false, false} {
		if got := root.Entries[i].Value.IsShared(aliases); got != want {
			t.Errorf("%s: shared %v, want %v", root.Entries[i].Key, got, want)
		}
	}
	if key := root.Entries[3].KeyNode; key == nil || !key.IsShared(aliases) {
		t.Errorf("the key is not known to be shared: %v", key)
	}
}
