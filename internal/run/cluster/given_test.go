package cluster

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
)

// A definition that was not read is of the kind that its text names, however it is written.
func TestMayDefine(t *testing.T) {
	const head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: as.e.io\n"
	for name, text := range map[string]string{
		"as kubectl writes it": head + "spec:\n  group: e.io\n  names:\n    kind: A\n",
		"quoted":               head + "spec:\n  'group' :  \"e.io\"\n  names:\n    \"kind\": 'A'\n",
		"in flow style":        head + "spec: {group: e.io, names: {kind: A}}\n",
		"on the next line":     head + "spec:\n  group:\n    e.io\n  names:\n    kind:\n      A\n",
		"in a block":           head + "spec:\n  group: >-\n    e.io\n  names:\n    kind: A\n",
		"its names behind":     head + "spec:\n  versions:\n  - name: v1\n  group: e.io\n  names:\n    kind: A\n",
		"a key within a text":  head + "  annotations:\n    note: |\n      a\n      versions:\nspec:\n  group: e.io\n  names:\n    kind: A\n  versions: []\n",
		"another kind named":   head + "spec:\n  group: e.io\n  names:\n    kind: A\n  versions:\n  - name: v1\n    schema: {kind: Bee}\n",
		"by an anchor":         head + "spec:\n  group: &g e.io\n  names:\n    kind: A\n",
		"JSON":                 `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"as.e.io"},"spec":{"group":"e.io","names":{"kind":"A"}}}`,
	} {
		x, errs := live.Load([]string{"-"}, live.Options{
			Input: manifest.Options{Stdin: strings.NewReader(text)},
			Want:  func(live.Key) bool { return false }, Keep: IsDefinition, Defer: IsDefinition,
		})
		if len(errs) > 0 || len(x.Kept()) != 1 || !x.Kept()[0].Deferred() || x.Kept()[0].Raw != nil {
			t.Fatalf("%s: %v, %d kept", name, errs, len(x.Kept()))
		}
		d := x.Kept()[0].Document
		for kind, want := range map[schema.GroupKind]bool{{Group: "e.io", Kind: "A"}: true, {Group: "f.io", Kind: "A"}: false, {Group: "e.io", Kind: "Bee"}: false, {Kind: "A"}: false} {
			if got := newLiveDefinition(d).mayDefine(kind); got != want {
				t.Errorf("%s: %v: got %v, want %v", name, kind, got, want)
			}
		}
		if d.Name = "as.f.io"; newLiveDefinition(d).mayDefine(schema.GroupKind{Group: "e.io", Kind: "A"}) {
			t.Errorf("%s: one that is named by another group is taken for one of its own", name)
		}
		if string(d.Text()) != text || d.Unread() != nil || !strings.Contains(string(d.JSON()), `"group":"e.io"`) {
			t.Errorf("%s: %v, text %q, JSON %s", name, d.Unread(), d.Text(), d.JSON())
		}
	}
}

// Names may be spelled with escapes, or stand apart from their keys. A definition that cannot
// be read may be of any kind of its group.
func TestMayDefineSpelled(t *testing.T) {
	const head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: as.e.io\nspec:\n"
	for name, text := range map[string]string{
		"a letter of a name": head + "  group: \"\\u0065.io\"\n  names:\n    kind: A\n",
		"a letter of a key":  head + "  group: e.io\n  names:\n    \"\\x6bind\": A\n",
		"on two lines":       head + "  group: \"e.\\\n    io\"\n  names:\n    kind: A\n",
		"apart":              head + "  ? group\n  : e.io\n  names:\n    kind: A\n",
	} {
		documents, problems := manifest.Load([]string{"-"}, manifest.Options{Stdin: strings.NewReader(text)})
		if len(problems) > 0 || !strings.Contains(string(documents[0].JSON()), `"group":"e.io"`) {
			t.Fatalf("%s: %v", name, problems)
		}
		d := newLiveDefinition(documents[0])
		if !d.mayDefine(schema.GroupKind{Group: "e.io", Kind: "A"}) ||
			d.mayDefine(schema.GroupKind{Group: "f.io", Kind: "A"}) {
			t.Errorf("%s: it is not taken for one of its own group alone", name)
		}
	}
}
