package writeback

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/ssactl/ssactl/internal/document"
)

var seeds = []string{
	yamlA, yamlB + "---\n" + yamlA, "---\n# c\n" + yamlA + "...\n", "\r\n" + "kind: X\r\n---\r\nkind: Y",
	`{"kind":"X"}` + "\n" + `{"kind":"Y"}`, "{\n\t\"kind\": \"X\"\n}", "--- {kind: X}\n---\nkind: Y\n",
	"apiVersion: v1\nkind: List\nitems:\n- kind: A\n# c\n-\n  kind: B\n- # d\n  kind: C\n  s: |+\n    # in\n\n",
	"kind: List\nitems:\n  - {kind: A,\n b: c}\n  - kind: B\nx: y\n", `{"kind":"List","items":[{"kind":"A"} , {"kind":"B"}]}`,
	"kind: X\na: &a 1\nb: *a\n", "kind: X\ns: \"a\n\n# b\"\n", "a: |\n  x", "kind: List\nitems: []\n",
}

// FuzzUnchanged: writing every object back as it is leaves the text alone.
func FuzzUnchanged(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		edited, err := rewrite(text, everything(text))
		if err == nil && !bytes.Equal(text, edited) {
			t.Errorf("%q became %q", text, edited)
		}
	})
}

// everything replaces every object of a text by itself.
func everything(text []byte) []change {
	var changes []change
	for _, doc := range document.Split(text) {
		value, err := document.Value(doc.Of(text), doc.JSON)
		object, ok := value.(map[string]any)
		if err != nil || !ok {
			continue
		}
		l, err := listOf(text, doc)
		if err != nil {
			changes = append(changes, change{at: Place{Document: doc.Number, Item: NotInList}, object: object})
			continue
		}
		for i := range l.count() {
			if item, err := l.decode(i); err == nil {
				if object, ok := item.(map[string]any); ok {
					changes = append(changes, change{at: Place{Document: doc.Number, Item: i}, object: object})
				}
			}
		}
	}
	return changes
}

// FuzzOneChange: whatever is replaced or deleted, either it is refused, or
// every other object keeps its bytes and the changed one has its new value.
func FuzzOneChange(f *testing.F) {
	for i, seed := range seeds {
		f.Add([]byte(seed), uint(i), "new\nvalue\n\n", i%3 == 0)
	}
	f.Fuzz(func(t *testing.T, text []byte, which uint, added string, remove bool) {
		all := everything(text)
		if len(all) == 0 {
			return
		}
		c := all[which%uint(len(all))]
		former := objects(text)
		c.object["added"] = added
		want, err := normalise(c.object)
		if err != nil {
			return
		}
		if remove {
			c.verb = deleteObject
		}
		edited, err := rewrite(text, []change{c})
		if err != nil {
			return
		}
		checkOthers(t, former, objects(edited), c, want)
	})
}

// A found object is the bytes of an object and what they say.
type foundObject struct {
	at    Place
	bytes []byte
	value any
}

func objects(text []byte) []foundObject {
	var all []foundObject
	for _, doc := range document.Split(text) {
		l, err := listOf(text, doc)
		if err != nil {
			value, _ := document.Value(doc.Of(text), doc.JSON)
			all = append(all, foundObject{Place{Document: doc.Number, Item: NotInList}, doc.Of(text), value})
			continue
		}
		for i := range l.count() {
			value, _ := l.decode(i)
			all = append(all, foundObject{Place{Document: doc.Number, Item: i}, l.item(i), value})
		}
	}
	return all
}

func checkOthers(t *testing.T, former, now []foundObject, c change, want any) {
	t.Helper()
	for _, object := range former {
		if object.at == c.at && c.verb == deleteObject {
			continue
		}
		if len(now) == 0 {
			t.Fatalf("%v is lost", object.at)
		}
		switch {
		case object.at == c.at && !reflect.DeepEqual(want, now[0].value):
			t.Fatalf("%v is %v, want %v", object.at, now[0].value, want)
		case object.at != c.at && !bytes.Equal(bytes.TrimSpace(object.bytes), bytes.TrimSpace(now[0].bytes)):
			t.Fatalf("%v became %q, was %q", object.at, now[0].bytes, object.bytes)
		}
		now = now[1:]
	}
	if len(now) > 0 {
		t.Fatalf("%d objects too many, the first is %q", len(now), now[0].bytes)
	}
}
