package live

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/manifest"
)

func item(kind, name string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":%q,"metadata":{"name":%q,"managedFields":[{"manager":"m"}]},"n":9007199254740993,"f":1.5}`, kind, name)
}

func load(text string, opts Options) (*Index, []error) {
	opts.Input.Stdin = strings.NewReader(text)
	return Load([]string{"-"}, opts)
}

func TestLoad(t *testing.T) {
	text := `{"apiVersion":"v1","items":[` + item("A", "a") + "," + item("A", "b") + "," + item("CRD", "c") + `],"kind":"List"}`
	var unmatched []Key
	x, problems := load(text, Options{
		Want:        func(k Key) bool { return k.Name == "a" },
		Keep:        func(id manifest.Identity) bool { return id.Kind == "CRD" },
		OnUnmatched: func(k Key) { unmatched = append(unmatched, k) },
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
	x, problems := load(item("A", "a")+"\n"+item("A", "a"), Options{})
	want := "two live objects are A a: one at standard input, document 1: line 1, one at standard input, document 2: line 2"
	if len(problems) != 1 || problems[0].Error() != want {
		t.Errorf("got %v, want %q", problems, want)
	}
	if _, err := x.Get(Key{Kind: "A", Name: "a"}); err == nil {
		t.Error("Get: no error for a duplicate")
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
