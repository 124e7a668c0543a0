package render

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/report"
)

// TestBlameReadsBack checks that the groups together are the object, whatever
// they cut apart.
func TestBlameReadsBack(t *testing.T) {
	for _, r := range []report.Result{owned(), configured(), created(), wide(), secret(), conflicted()} {
		checkBlame(t, r)
	}
}

func FuzzBlame(f *testing.F) {
	for _, s := range hostileTexts {
		f.Add(s, s)
	}
	f.Add("a: b", "- c\n  d")
	f.Add("? x", "\n  two\n\n one")
	f.Add("y", "|")
	f.Fuzz(func(t *testing.T, key, value string) {
		// The YAML library reads no keys of more than 1,024 bytes, and writes
		// a merge key as it is.
		key = strings.ReplaceAll(key[:min(len(key), 200)], "<<", "<")
		key, value = strings.ToValidUTF8(key, "?"), strings.ToValidUTF8(value, "?")
		r := owned()
		r.Object["spec"].(map[string]any)[key] = []any{value, map[string]any{key: value, "name": value, "nested": []any{[]any{value}}}, []any{}, map[string]any{}}
		r.Object[key] = map[string]any{key: value, "x" + key: nil}
		checkBlame(t, r)
	})
}

func checkBlame(t *testing.T, r report.Result) {
	t.Helper()
	view := objectView{r: &r, o: Options{Now: now}, cast: newCast(r)}
	got, err := view.Blame()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, g := range got.Groups {
		if (len(g.Owners) == 0) == (g.Nobody == "") {
			t.Errorf("owners %v and %q", g.Owners, g.Nobody)
		}
		text.WriteString(g.Text)
	}
	object := r.Object
	if object == nil {
		object = r.Live
	}
	plain, err := json.Marshal(withoutManagedFields(object))
	if err != nil {
		t.Fatal(err)
	}
	var want, back any
	if err := json.Unmarshal(plain, &want); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal([]byte(text.String()), &back); err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	if diff := cmp.Diff(want, back); diff != "" {
		t.Errorf("blame reads as another object: (-want +got)\n%s\n%s", diff, text.String())
	}
}
