package resolve

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/input/manifest"
)

// stream has every form of document that is cut out of a file.
const stream = "\xEF\xBB\xBF# above\n" + `
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {k: v, kept: "1"}
---
# nothing
---
apiVersion: v1
kind: List
items:
# first
-   data:
        k: v   # gone
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: b}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: c}
  data:
    k: v
---
apiVersion: v1
kind: List
items: [{apiVersion: v1, kind: ConfigMap, metadata: {name: d}, data: {k: v}}, # kept
  {apiVersion: v1, kind: ConfigMap, metadata: {name: e}, data: {k: v}}]
`

const streamWithout = "\xEF\xBB\xBF# above\n" + `
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {kept: "1"}
---
# nothing
---
apiVersion: v1
kind: List
items:
# first
-   apiVersion: v1
    kind: ConfigMap
    metadata: {name: b}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: c}
---
apiVersion: v1
kind: List
items: [{apiVersion: v1, kind: ConfigMap, metadata: {name: d}}, # kept
  {apiVersion: v1, kind: ConfigMap, metadata: {name: e}}]
`

func TestFile(t *testing.T) {
	f := NewFile("stream.yaml", []byte(stream), manifest.Options{})
	if len(f.documents) != 5 {
		t.Fatalf("%d documents", len(f.documents))
	}
	if string(f.Text()) != stream {
		t.Errorf("unedited, the text is another:\n%s", f.Text())
	}
	for _, d := range f.documents {
		p, prefix, err := f.open(d)
		if err != nil {
			t.Fatalf("%s: %v", d.Name, err)
		}
		if err := p.doc.Remove(below(prefix, fieldpath.MakePathOrDie("data", "k"))); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
		if !p.keepsDash() {
			t.Errorf("%s: the dash is lost", d.Name)
		}
	}
	if diff := cmp.Diff(streamWithout, string(f.Text())); diff != "" {
		t.Errorf("edited text (-want +got):\n%s", diff)
	}
	after, err := f.reread()
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range after {
		if d.Name != f.documents[i].Name {
			t.Errorf("document %d is %s", i, d.Name)
		}
	}
}

// TestFileProof: an edit that reaches into another document is found.
func TestFileProof(t *testing.T) {
	const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n"
	f := NewFile("two.yaml", []byte(text), manifest.Options{})
	p, _, err := f.open(f.documents[0])
	if err != nil {
		t.Fatal(err)
	}
	p.end += 10
	p.former = f.text[p.start:p.end]
	if _, err := f.reread(); err == nil {
		t.Errorf("nothing is found in\n%s", f.Text())
	}
}

func TestFormerLine(t *testing.T) {
	const old, new = "a\nb\nc\nd\n", "a\nc\nnew\nd\n"
	want := []int{1, 3, 3, 4}
	for i, w := range want {
		if got := formerLine([]byte(old), []byte(new), i+1); got != w {
			t.Errorf("line %d was %d, want %d", i+1, got, w)
		}
	}
	if got := formerLine([]byte(old), []byte(old), 3); got != 3 {
		t.Errorf("line 3 of the same text was %d", got)
	}
}
