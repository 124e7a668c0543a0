package manifest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// deployment is an object of a common size, with a few numbers in it.
func deployment(i int) string {
	entry := `{"apiVersion":"apps/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:replicas":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"main\"}":{".":{},"f:image":{},"f:name":{}}}}}}},"manager":"kubectl","operation":"Apply","time":"2024-01-01T00:00:00Z"}`
	return fmt.Sprintf(
		`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"labels":{"app":"web"},"managedFields":[%s,%s],"name":"web-%d","namespace":"ns-%d"},`+
			`"spec":{"replicas":3,"template":{"spec":{"containers":[{"env":[%s{"name":"LAST","value":"v"}],"image":"nginx","name":"main"}]}}}}`,
		entry,
		entry,
		i,
		i%50,
		strings.Repeat(`{"name":"SOME","value":"text"},`, 20),
	)
}

// dumps gives the same objects as kubectl prints them, and as a stream.
func dumps(n int) map[string]string {
	var items []string
	var y, stream strings.Builder
	y.WriteString("apiVersion: v1\nitems:\n")
	for i := range n {
		items = append(items, deployment(i))
		object := "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  labels:\n    app: web\n  name: web-" + fmt.Sprint(
			i,
		) + "\nspec:\n  template:\n    spec:\n      containers:\n      - env:\n" +
			strings.Repeat(
				"        - name: SOME\n          value: \"text\"\n",
				20,
			) + "        image: nginx\n        name: main\n"
		stream.WriteString("---\n" + object)
		y.WriteString("- " + strings.TrimSuffix(strings.ReplaceAll(object, "\n", "\n  "), "  "))
	}
	y.WriteString("kind: List\n")
	return map[string]string{
		"json list": indented.list(items...), "compact json list": compact.list(items...),
		"json lines": strings.Join(items, "\n"), "yaml list": y.String(), "yaml stream": stream.String(),
	}
}

// BenchmarkRead reads dumps, keeping everything or nothing.
func BenchmarkRead(b *testing.B) {
	for name, text := range dumps(2000) {
		for wanted, want := range map[string]func(Identity) bool{"all": nil, "none": func(Identity) bool { return false }} {
			b.Run(name+"/"+wanted, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if _, problems := Load([]string{"-"}, Options{Stdin: strings.NewReader(text), Want: want}); len(problems) > 0 {
						b.Fatal(problems[0])
					}
				}
			})
		}
	}
}

// BenchmarkDecoder cuts the items out of a List with encoding/json, as it would
// stand in for document/scan: less than BenchmarkRead does, which finds who they are
// as well.
func BenchmarkDecoder(b *testing.B) {
	text := dumps(2000)["json list"]
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		d := json.NewDecoder(strings.NewReader(text))
		for token, err := d.Token(); token != json.Delim('['); token, err = d.Token() {
			if err != nil {
				b.Fatal(err)
			}
		}
		for d.More() {
			var item json.RawMessage
			if err := d.Decode(&item); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkIdentity finds who an item is by its lines, and by converting it.
func BenchmarkIdentity(b *testing.B) {
	_, item, _ := strings.Cut(dumps(1)["yaml stream"], "---\n")
	for name, find := range map[string]func() bool{
		"lines": func() bool { _, ok := quickIdentity([]byte(item), 0); return ok },
		"whole": func() bool {
			asJSON, err := toJSON([]byte(item), 1, Options{}.WithDefaults())
			return err == nil && readHead(asJSON).Name != ""
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(item)))
			for b.Loop() {
				if !find() {
					b.Fatal("no identity")
				}
			}
		})
	}
}
