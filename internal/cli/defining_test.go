package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/server"
)

// A definition that was not read may be of the kind that its text names, packed or not.
func TestMayDefine(t *testing.T) {
	const head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: as.e.io\n"
	for name, text := range map[string]string{
		"as kubectl writes it": head + "spec:\n  group: e.io\n  names:\n    kind: A\n",
		"quoted":               head + "spec:\n  'group' :  \"e.io\"\n  names:\n    \"kind\": 'A'\n",
		"in flow style":        head + "spec: {group: e.io, names: {kind: A}}\n",
		"on the next line":     head + "spec:\n  group:\n    e.io\n  names:\n    kind:\n      A\n",
		"in a block":           head + "spec:\n  group: >-\n    e.io\n  names:\n    kind: A\n",
		"by an anchor":         head + "spec:\n  group: &g e.io\n  names:\n    kind: A\n",
		"JSON":                 `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"as.e.io"},"spec":{"group":"e.io","names":{"kind":"A"}}}`,
	} {
		for _, hold := range []int{0, 1} {
			x, errs := live.Load([]string{"-"}, live.Options{
				Input: manifest.Options{Stdin: strings.NewReader(text)}, HoldBytes: hold,
				Want: func(live.Key) bool { return false }, Keep: isDefinition, Defer: isDefinition,
			})
			if len(errs) > 0 || len(x.Kept()) != 1 || !x.Kept()[0].Deferred() || (x.Kept()[0].Raw == nil) != (hold > 0) {
				t.Fatalf("%s: %v, %d kept", name, errs, len(x.Kept()))
			}
			d := newDefining(x.Kept()[0].Document)
			for kind, want := range map[schema.GroupKind]bool{{Group: "e.io", Kind: "A"}: true, {Group: "f.io", Kind: "A"}: false, {Group: "e.io", Kind: "Bee"}: false, {Kind: "A"}: false} {
				if got := d.mayDefine(kind); got != want {
					t.Errorf("%s: %v: got %v, want %v", name, kind, got, want)
				}
			}
			if d.Name = "as.f.io"; d.mayDefine(schema.GroupKind{Group: "e.io", Kind: "A"}) {
				t.Errorf("%s: one that is named by another group is taken for one of its own", name)
			}
			if string(d.Text()) != text || d.Unread() != nil || !strings.Contains(string(d.JSON()), `"group":"e.io"`) {
				t.Errorf("%s: %v, text %q, JSON %s", name, d.Unread(), d.Text(), d.JSON())
			}
		}
	}
}

// One whose names may be spelled with escapes, or stand apart from their keys, may be of
// any kind of its group.
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
		if d := newDefining(documents[0]); !d.mayDefine(schema.GroupKind{Group: "e.io", Kind: "A"}) || d.mayDefine(schema.GroupKind{Group: "f.io", Kind: "A"}) {
			t.Errorf("%s: it is not taken for one of its own group alone", name)
		}
	}
}

// A definition whose file changed after it was read may be of any kind, and the error is
// reported.
func TestMayDefineUnreadable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "live.yaml")
	write := func(group string) {
		text := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: as.e.io\nspec:\n  group: " + group + "\n  names:\n    kind: A\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("e.io")
	x, errs := live.Load([]string{file}, live.Options{
		Input: manifest.Options{FilesStay: true}, HoldBytes: 1,
		Want: func(live.Key) bool { return false }, Keep: isDefinition, Defer: isDefinition,
	})
	if len(errs) > 0 || len(x.Kept()) != 1 {
		t.Fatalf("%v, %d kept", errs, len(x.Kept()))
	}
	write("f.io")
	g := given{defining: []defining{newDefining(x.Kept()[0].Document)}}
	kind := schema.GroupKind{Group: "e.io", Kind: "A"}
	if errs := g.unread(kind); len(errs) != 1 || !strings.Contains(errs[0].Error(), "live.yaml, document 1: line 1: the file changed after it was read") {
		t.Errorf("told is %v", errs)
	}
	if texts := g.definitionsOf(kind); len(texts) != 0 {
		t.Errorf("%q defines it", texts)
	}
}

// A file that changed or is gone is reported once, however many definitions it had.
func TestChangedDefinitionsAreToldOnce(t *testing.T) {
	const definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: %[1]ss.e.io\nspec:\n  group: e.io\n  names:\n    kind: %[1]s\n---\n"
	dir := t.TempDir()
	changed, gone := filepath.Join(dir, "changed.yaml"), filepath.Join(dir, "gone.yaml")
	s, err := server.New(server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{server: s}
	for i, file := range []string{changed, gone} {
		var text string
		for n := range 3 {
			kind := fmt.Sprintf("k%d%d", i, n)
			text += fmt.Sprintf(definition, kind)
			c.manifests = append(c.manifests, manifest.Document{Identity: manifest.Identity{APIVersion: "e.io/v1", Kind: kind, Name: "x"}})
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x, errs := live.Load([]string{changed, gone}, live.Options{
		Input: manifest.Options{FilesStay: true}, HoldBytes: 1,
		Want: func(live.Key) bool { return false }, Keep: isDefinition, Defer: isDefinition,
	})
	if err := errors.Join(append(errs, os.Truncate(changed, 0), os.Remove(gone))...); err != nil {
		t.Fatal(err)
	}
	var g given
	for _, o := range x.Kept() {
		g.defining = append(g.defining, newDefining(o.Document))
	}
	c.addUnread(g)
	var got []string
	for _, p := range c.problems {
		got = append(got, filepath.Base(p.Source.File)+": "+p.Message)
	}
	want := []string{"changed.yaml: " + manifest.ErrChanged.Error(), "gone.yaml: " + manifest.ErrChanged.Error() + " (no such file or directory)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
