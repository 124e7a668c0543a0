package fieldtree

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/test/widget"
)

// FuzzTree: what is written at a path is found there, and what is taken out is
// not; neither changes the given tree.
func FuzzTree(f *testing.F) {
	for i := 0; i < 20; i++ {
		f.Add(i, widget.Text)
	}
	f.Add(0, `{"spec":{"ports":[{"port":1},{"port":1},null,7]}}`)
	shape := managedfields.ShapeOf(widget.Type(f))
	f.Fuzz(func(t *testing.T, at int, text string) {
		var object map[string]any
		if kjson.Unmarshal([]byte(text), &object) != nil || len(text) > 4096 {
			return
		}
		paths := shape.Paths(object)
		if len(paths) == 0 {
			return
		}
		path := paths[uint(at)%uint(len(paths))]
		before, err := kjson.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		less, ok := Without(shape, object, path)
		if !ok {
			t.Fatalf("%s is not taken out of %s", path, text)
		}
		if shape.Has(less, path) && fieldsOnly(path) {
			t.Errorf("%s is still in %v", path, less)
		}
		if fieldsOnly(path) {
			more := With(shape, less, path, "new")
			if diff := cmp.Diff([]any{"new"}, shape.Lookup(more, path)); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", path, diff)
			}
		}
		after, err := kjson.Marshal(object)
		if err != nil || string(after) != string(before) {
			t.Errorf("the given tree became %s, was %s", after, before)
		}
	})
}

// fieldsOnly reports whether a path has no list items, which may be repeated or have
// their keys taken out.
func fieldsOnly(path fieldpath.Path) bool { return !strings.Contains(path.String(), "[") }

func TestWithout(t *testing.T) {
	shape := managedfields.ShapeOf(widget.Type(t))
	cases := []struct{ path, want string }{
		{
			`.spec.ports[port=53,protocol="UDP"].name`,
			`{"spec":{"ports":[{"port":53,"protocol":"TCP"},{"port":53,"protocol":"UDP"}]}}`,
		},
		{`.spec.ports[port=53,protocol="UDP"]`, `{"spec":{"ports":[{"port":53,"protocol":"TCP"}]}}`},
		{`.spec.ports`, `{}`},
		{`.spec`, `{}`},
	}
	for _, c := range cases {
		object := widget.Tree(t, `{"spec":{"ports":[{"port":53,"protocol":"TCP"},{"port":53,"protocol":"UDP","name":"x"}]}}`)
		var path fieldpath.Path
		for _, p := range shape.Paths(object) {
			if p.String() == c.path {
				path = p
			}
		}
		got, ok := Without(shape, object, path)
		if diff := cmp.Diff(widget.Tree(t, c.want), got); diff != "" || !ok {
			t.Errorf("%s: (-want +got)\n%s", c.path, diff)
		}
	}
}
