package live

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/input/manifest"
)

func item(kind, name string) string {
	return fmt.Sprintf(
		`{"apiVersion":"v1","kind":%q,"metadata":{"name":%q,"managedFields":[{"manager":"m"}]},"n":9007199254740993,"f":1.5}`,
		kind,
		name,
	)
}

// another is an item of the same name that says something else.
func another(kind, name string) string { return strings.Replace(item(kind, name), "1.5", "2.5", 1) }

func load(text string, opts Options) (*Index, []error) {
	opts.Input.Stdin = strings.NewReader(text)
	return Load([]string{"-"}, opts)
}

func TestLoad(t *testing.T) {
	text := `{"apiVersion":"v1","items":[` + item(
		"A",
		"a",
	) + "," + item(
		"A",
		"b",
	) + "," + item(
		"CRD",
		"c",
	) + `],"kind":"List"}`
	var unmatched []Key
	x, problems := load(text, Options{
		Want:        func(k Key) bool { return k.Name == "a" },
		Keep:        func(id manifest.Identity) bool { return id.Kind == "CRD" },
		OnUnmatched: func(_ manifest.Identity, k Key) { unmatched = append(unmatched, k) },
	})
	if len(problems) != 0 {
		t.Fatal(problems)
	}
	if diff := cmp.Diff([]Key{{Kind: "A", Name: "b"}}, unmatched); diff != "" || x.Unmatched() != 1 || len(x.Kept()) != 1 {
		t.Errorf("unmatched %d, kept %d (-want +got):\n%s", x.Unmatched(), len(x.Kept()), diff)
	}
	o, err := x.Get(Key{Kind: "A", Name: "a"})
	if err != nil || o == nil || !o.ManagedFields {
		t.Fatalf("got %v, %v, want an object with managed fields", o, err)
	}
	object, err := o.Decode()
	if err != nil || object["n"] != int64(9007199254740993) || object["f"] != 1.5 {
		t.Errorf("got %v, %v, want exact numbers", object, err)
	}
}

func TestLoadDuplicates(t *testing.T) {
	x, problems := load(item("A", "a")+"\n"+another("A", "a"), Options{})
	want := "two live objects are A a: one at standard input, document 1: line 1, one at standard input, document 2: line 2"
	if len(problems) != 1 || problems[0].Error() != want {
		t.Errorf("got %v, want %q", problems, want)
	}
	if _, err := x.Get(Key{Kind: "A", Name: "a"}); err == nil {
		t.Error("Get: no error for a duplicate")
	}
}

// TestCopies: copies of one object are one, and the managed fields of any count.
func TestCopies(t *testing.T) {
	const stored = `{"apiVersion":"v1","kind":"A","metadata":{"name":"a","uid":"u","resourceVersion":"7"%s},"n":1}`
	bare, whole := fmt.Sprintf(stored, ""), fmt.Sprintf(stored, `,"managedFields":[{"manager":"m"}]`)
	for name, c := range map[string]struct {
		text     string
		opts     Options
		managed  bool
		problems int
	}{
		"the same":             {text: item("A", "a") + "\n" + item("A", "a"), managed: true},
		"in another order":     {text: item("A", "a") + "\n" + `{"f":1.5,"n":9007199254740993,"kind":"A","metadata":{"managedFields":[{"manager":"m"}],"name":"a"},"apiVersion":"v1"}`, managed: true},
		"packed":               {text: item("A", "a") + "\n" + item("A", "a"), opts: Options{HoldBytes: 1}, managed: true},
		"of one version":       {text: bare + "\n" + whole, managed: true},
		"of one version, held": {text: bare + "\n" + whole, opts: Options{HoldBytes: 1}, managed: true},
		"of another version":   {text: bare + "\n" + strings.Replace(whole, `"7"`, `"8"`, 1), problems: 1},
		"of one version, and what it says differs": {text: bare + "\n" + strings.Replace(whole, `"n":1`, `"n":2`, 1), problems: 1},
		"of one version, other labels":             {text: bare + "\n" + strings.Replace(whole, `"uid"`, `"labels":{"a":"b"},"uid"`, 1), problems: 1},
		"of one version, other entries":            {text: whole + "\n" + strings.Replace(whole, `"m"`, `"other"`, 1), problems: 1},
		"of one version, the other way round":      {text: whole + "\n" + strings.Replace(bare, `"n":1`, `"n":2`, 1), problems: 1},
		"at another API version":                   {text: whole + "\n" + strings.NewReplacer(`"v1"`, `"v2"`, `"n"`, `"m"`).Replace(bare), managed: true},
		"at another API version, other labels": {text: whole + "\n" + strings.NewReplacer(`"v1"`, `"v2"`, `"uid"`, `"labels":{"a":"b"},"uid"`).Replace(bare),
			problems: 1},
		"another one":                 {text: item("A", "a") + "\n" + another("A", "a"), problems: 1},
		"where files may be written":  {text: item("A", "a") + "\n" + item("A", "a"), opts: Options{Once: true}, problems: 1},
		"three of them, one differs":  {text: item("A", "a") + "\n" + another("A", "a") + "\n" + item("A", "a"), problems: 2},
		"of those that are kept only": {text: item("A", "b") + "\n" + item("A", "b") + "\n" + item("A", "a"), opts: Options{Want: func(k Key) bool { return k.Name == "a" }, Keep: func(manifest.Identity) bool { return true }}, managed: true},
	} {
		x, problems := load(c.text, c.opts)
		o, err := x.Get(Key{Kind: "A", Name: "a"})
		if len(problems) != c.problems || (err != nil) != (c.problems > 0) || o != nil && o.ManagedFields != c.managed {
			t.Errorf("%s: %v, %v, %v", name, problems, err, o)
		}
		if o != nil && c.managed {
			if object, err := o.Metadata(); err != nil || !strings.Contains(fmt.Sprint(object), "managedFields") {
				t.Errorf("%s: %v, %v", name, object, err)
			}
		}
	}
}

// An object with more managed fields than a server can store is an error when it is
// asked for. Indentation and other fields do not count.
func TestMoreThanAServerStores(t *testing.T) {
	fields := func(n int, between string) string {
		text := strings.Repeat(`"f:data":{}`+between, n)
		return fmt.Sprintf(
			`{"apiVersion":"v1","kind":"A","metadata":{"name":"a","managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1","fieldsV1":{%s"f:x":{}}}]}}`,
			text,
		)
	}
	for _, tt := range []struct {
		name, text string
		want       error
	}{
		{"large", fields(190_000, ","), errors.New("read standard input, document 1: line 1: A a has managed fields entries of 2280018 bytes, and no API server can store an object of more than 2097152")},
		{"indented", fields(150_000, ",\n        "), nil},
		{"other fields", `{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"data":"` + strings.Repeat("x", 3<<20) + `"}`, nil},
	} {
		x, problems := load(tt.text, Options{})
		_, err := x.Get(Key{Kind: "A", Name: "a"})
		if fmt.Sprint(err) != fmt.Sprint(tt.want) || (len(problems) > 0) != (tt.want != nil) {
			t.Errorf("%s: got %v, want %v; %v", tt.name, err, tt.want, problems)
		}
	}
}

// Keep and Want exclude nothing of each other: an object may be both.
func TestKeepAndWant(t *testing.T) {
	text := item("CRD", "a") + item("CRD", "b") + item("A", "a") + another("CRD", "b") + item("A", "c")
	isCRD := func(id manifest.Identity) bool { return id.Kind == "CRD" }
	tests := []struct {
		name            string
		want            func(Key) bool
		wanted          []Key
		kept, unmatched int
	}{
		{
			"all",
			nil,
			[]Key{{Kind: "A", Name: "a"}, {Kind: "A", Name: "c"}, {Kind: "CRD", Name: "a"}, {Kind: "CRD", Name: "b"}},
			2,
			0,
		},
		{"some", func(k Key) bool { return k.Name == "a" }, []Key{{Kind: "A", Name: "a"}, {Kind: "CRD", Name: "a"}}, 2, 1},
		{"none", func(Key) bool { return false }, nil, 2, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, problems := load(text, Options{Want: tt.want, Keep: isCRD})
			var wanted []Key
			for _, o := range x.Objects() {
				wanted = append(wanted, o.Key)
			}
			if diff := cmp.Diff(tt.wanted, wanted); diff != "" || len(x.Kept()) != tt.kept || x.Unmatched() != tt.unmatched {
				t.Errorf("kept %d, unmatched %d; wanted (-want +got):\n%s", len(x.Kept()), x.Unmatched(), diff)
			}
			if len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), "two live objects are CRD b") {
				t.Errorf("problems %v, want the CRD that is there twice", problems)
			}
		})
	}
}

// kubectl leaves managedFields out unless it is asked for them.
func TestManagedFields(t *testing.T) {
	for managed, want := range map[string]bool{"": false, `,"managedFields":[]`: false, `,"managedFields":null`: false, `,"managedFields":[ ]`: false, `,"managedFields":[{}]`: true, `,"managedFields": [ {"manager":"m"} ]`: true} {
		for _, text := range []string{
			`{"apiVersion":"v1","kind":"A","metadata":{"name":"a"` + managed + `}}`,
			`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"A","metadata":{"name":"a"` + managed + `}}]}`,
			"apiVersion: v1\nkind: A\nmetadata: {name: a" + strings.ReplaceAll(managed, ":", ": ") + "}\n",
		} {
			x, problems := load(text, Options{})
			o, err := x.Get(Key{Kind: "A", Name: "a"})
			if len(problems) > 0 || err != nil || o == nil || o.ManagedFields != want {
				t.Errorf("%s: got %v, %v, %v, want managed fields %v", text, o, err, problems, want)
			}
		}
	}
}

func TestIncompleteList(t *testing.T) {
	var notices []string
	opts := Options{Want: func(Key) bool { return false }}
	opts.Input.OnNotice = func(n manifest.Notice) { notices = append(notices, n.String()) }
	const told = "standard input, document 1: line 1: the list is incomplete (metadata.continue is set): fetch all of it, without --limit or a limit= in the query"
	for _, text := range []string{
		`{"apiVersion":"v1","kind":"List","metadata":{"continue":"x"},"items":[` + item("A", "a") + `]}`,
		`{"apiVersion":"v1","items":[` + item("A", "a") + `],"kind":"List","metadata":{"continue":"x","resourceVersion":""}}`,
		`{"apiVersion":"v1","items":[],"kind":"AList","metadata":{"continue":"x"}}`,
		"apiVersion: v1\nitems:\n- " + item("A", "a") + "\nkind: List\nmetadata:\n  continue: x\n",
	} {
		notices = nil
		if _, problems := load(text, opts); len(problems) > 0 {
			t.Error(problems)
		}
		if diff := cmp.Diff([]string{told}, notices); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// A malformed object ends its List: those before it are there.
func TestMalformedObject(t *testing.T) {
	text := `{"apiVersion":"v1","kind":"List","items":[` + item("A", "a") + `,{"apiVersion":},` + item("A", "b") + `]}`
	x, problems := load(text, Options{})
	if len(x.Objects()) != 1 || len(problems) != 1 ||
		!strings.Contains(problems[0].Error(), "item 2 of the list: not JSON") {
		t.Errorf("got %d objects and %v", len(x.Objects()), problems)
	}
}

func TestNoName(t *testing.T) {
	_, problems := load(`{"apiVersion":"v1","kind":"A","metadata":{"generateName":"a-"}}`, Options{})
	if len(problems) != 1 || !strings.HasSuffix(problems[0].Error(), "generateName works only with create") {
		t.Errorf("got %v, want that it has no name", problems)
	}
}

func BenchmarkLoad(b *testing.B) {
	var j, y strings.Builder
	j.WriteString(`{"apiVersion":"v1","items":[` + item("A", "x"))
	y.WriteString("apiVersion: v1\nitems:\n")
	for i := range 20000 {
		j.WriteString("," + item("A", fmt.Sprintf("n-%d", i)))
		fmt.Fprintf(&y, "- apiVersion: v1\n  kind: A\n  metadata:\n    name: n-%d\n  data:\n    k: some text here\n", i)
	}
	j.WriteString(`],"kind":"List"}`)
	y.WriteString("kind: List\n")
	for name, text := range map[string]string{"json": j.String(), "yaml": y.String()} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for range b.N {
				x, problems := load(text, Options{Want: func(k Key) bool { return k.Name == "n-7" }})
				if len(problems) > 0 || len(x.Objects()) != 1 {
					b.Fatal(problems)
				}
			}
		})
	}
}

// TestAdd: Add takes documents as Load does.
func TestAdd(t *testing.T) {
	documents, problems := manifest.Load([]string{"-"}, manifest.Options{
		Stdin: strings.NewReader(item("A", "a") + item("B", "b") + another("A", "a")),
	})
	if len(problems) != 0 {
		t.Fatal(problems)
	}
	x := New(Options{Want: func(k Key) bool { return k.Kind == "A" }})
	var failed []bool
	for _, d := range documents {
		failed = append(failed, x.Add(d) != nil)
	}
	if diff := cmp.Diff([]bool{false, false, true}, failed); diff != "" || x.Unmatched() != 1 || len(x.Objects()) != 1 {
		t.Errorf("%d unmatched, %d objects; failed (-want +got):\n%s", x.Unmatched(), len(x.Objects()), diff)
	}
}

// What defines a kind may come after its objects: these wait for their keys.
func TestSettle(t *testing.T) {
	text := item("Widget", "a") + another("Widget", "a") + item("Widget", "b") + item("CRD", "widgets") + item("A", "a")
	opts := Options{
		Want:  func(k Key) bool { return k.Name == "a" && k.Namespace != "" },
		Keep:  func(id manifest.Identity) bool { return id.Kind == "CRD" },
		Later: func(id manifest.Identity) bool { return id.Kind == "Widget" },
	}
	x, problems := load(text, opts)
	if len(problems) != 0 || len(x.Objects()) != 0 || x.Unmatched() != 1 {
		t.Errorf("before: %d objects, %d unmatched, %v", len(x.Objects()), x.Unmatched(), problems)
	}
	problems = x.Settle(func(id manifest.Identity) Key {
		key := KeyOf(id)
		key.Namespace = "default"
		return key
	})
	if len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), "two live objects are Widget default/a") {
		t.Errorf("problems %v, want the one that is there twice", problems)
	}
	if got := x.Objects(); len(got) != 1 || got[0].Key.Namespace != "default" || x.Unmatched() != 2 {
		t.Errorf("after: %v, %d unmatched", got, x.Unmatched())
	}
}

// What is kept light is packed beyond the bound, text and all, and says what it said.
func TestLight(t *testing.T) {
	x, problems := load(item("H", "a")+item("H", "b")+item("N", "c"), Options{
		Want:      func(Key) bool { return false },
		Keep:      func(manifest.Identity) bool { return true },
		Light:     func(id manifest.Identity) bool { return id.Kind == "H" },
		HoldBytes: 1,
	})
	if len(problems) > 0 || len(x.Kept()) != 3 {
		t.Fatalf("%d are kept, %v", len(x.Kept()), problems)
	}
	for i, o := range x.Kept() {
		if whole := o.Raw != nil; whole != (o.Kind == "N") {
			t.Errorf("%s: its text is held: %v", o.Key, whole)
		}
		if object, err := o.Decode(); err != nil || object["f"] != 1.5 {
			t.Errorf("item %d: %v, %v", i, object, err)
		}
	}
}

// What is wanted and kept counts: what comes after it is packed.
func TestKeptCounts(t *testing.T) {
	for kept, packed := range map[bool]bool{true: true, false: false} {
		x, problems := load(item("N", "a")+item("W", "b"), Options{
			Want:      func(k Key) bool { return kept || k.Kind == "W" },
			Keep:      func(id manifest.Identity) bool { return id.Kind == "N" },
			HoldBytes: len(item("N", "a")) * 3 / 2,
		})
		if len(problems) > 0 || len(x.Kept()) != 1 {
			t.Fatalf("%d are kept, %v", len(x.Kept()), problems)
		}
		for o := range x.All() {
			if got := o.Raw == nil; got != (packed && o.Kind == "W") {
				t.Errorf("wanted and kept %v: %s is packed: %v", kept, o.Key, got)
			}
		}
	}
}

// Of what is wanted and kept, only the JSON is held, and never packed: readers of what is
// kept use that.
func TestWantedAndKept(t *testing.T) {
	yaml := "apiVersion: v1\nkind: Note\nmetadata:\n  name: d\n"
	for _, text := range []string{item("Note", "c"), yaml, "kind: List\napiVersion: v1\nitems:\n- " + strings.ReplaceAll(yaml, "\n", "\n  ")} {
		all := func(manifest.Identity) bool { return true }
		x, problems := load(text, Options{Want: func(Key) bool { return true }, Keep: all, HoldBytes: 1})
		if len(problems) > 0 || len(x.Kept()) != 1 || len(x.Objects()) != 1 {
			t.Fatalf("%d are kept, %d wanted, %v", len(x.Kept()), len(x.Objects()), problems)
		}
		for _, o := range []*Object{x.Kept()[0], x.Objects()[0]} {
			if object, err := o.Decode(); string(o.Document.JSON()) != string(o.Raw) || o.Format != manifest.JSON ||
				err != nil ||
				object["kind"] != "Note" {
				t.Errorf("%s: %s, %v", o.Key, o.Raw, err)
			}
		}
	}
}

// TestSpare: what is neither wanted nor kept may be held besides, and counts as unmatched;
// of an object, metadata are read without the rest.
func TestSpare(t *testing.T) {
	x, problems := load(item("A", "a")+item("B", "b")+item("C", "c"), Options{
		HoldBytes: 1,
		Want:      func(k Key) bool { return k.Kind == "A" },
		Spare:     func(id manifest.Identity) bool { return id.Kind == "B" },
	})
	if len(problems) > 0 || x.Unmatched() != 2 || len(x.Kept()) != 0 || len(x.Spare()) != 1 || len(x.Objects()) != 1 {
		t.Fatalf(
			"%v; %d unmatched, %d kept, %d spare, %d wanted",
			problems,
			x.Unmatched(),
			len(x.Kept()),
			len(x.Spare()),
			len(x.Objects()),
		)
	}
	want := map[string]any{"metadata": map[string]any{"name": "b", "managedFields": []any{map[string]any{"manager": "m"}}}}
	got, err := x.Spare()[0].Metadata()
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if err := x.Add(x.Spare()[0].Document); err == nil {
		t.Error("an object that is held besides may come twice")
	}
}
