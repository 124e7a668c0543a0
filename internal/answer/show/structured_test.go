package show

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/ignore"
	"github.com/ssactl/ssactl/test/golden"
)

// reviewed is a write with a change of each kind: a words.Scalar, a text of several
// lines, a moved, an added and a removed list item.
func reviewed() report.Result {
	entry := func(manager string, fields map[string]any) any {
		return map[string]any{
			"manager":    manager,
			"operation":  "Apply",
			"apiVersion": "v1",
			"fieldsType": "FieldsV1",
			"fieldsV1":   fields,
		}
	}
	none := map[string]any{}
	object := func(mode, text, image string, items ...any) map[string]any {
		return map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap",
			"metadata": map[string]any{"name": "app", "managedFields": []any{
				entry("helm", map[string]any{"f:data": map[string]any{"f:nginx.conf": none, "f:mode": none}}),
				entry("a-controller-with-a-very-long-name", map[string]any{"f:image": none,
					"f:items": map[string]any{`k:{"key":"a"}`: map[string]any{".": none, "f:key": none, "f:v": none}}}),
			}},
			"data":  map[string]any{"mode": mode, "nginx.conf": text, "same": "1"},
			"image": image, "items": items,
		}
	}
	item := func(key string, v int64) any { return map[string]any{"key": key, "v": v} }
	text := "user www;\nworkers 1;\n" + strings.Repeat("# as before\n", 9)
	r := configured()
	r.Target = report.Target{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "app"}
	r.Live = object(
		"slow",
		text+"end;\n",
		"registry.example.com/team/product/"+strings.Repeat("path/", 12)+"web:1.27@sha256:aa",
		item("a", 1), item("b", 1), item("c", 1), item("d", 1),
	)
	r.Object = object(
		"fast",
		strings.Replace(text, "workers 1", "workers 4", 1)+"end",
		"registry.example.com/team/product/"+strings.Repeat("path/", 12)+"web:1.28@sha256:aa",
		item("c", 1), item("a", 2), item("b", 1), item("e", 1),
	)
	return r
}

func ignored(t *testing.T, paths ...string) ignore.Filter {
	t.Helper()
	f, err := ignore.Parse(paths)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestStructured(t *testing.T) {
	for name, o := range map[string]Options{
		"structured":         {},
		"structured_owners":  {Owners: true},
		"structured_color":   {Color: true, Owners: true},
		"structured_verbose": {Verbose: true, ShowManagedFields: true},
		"structured_ignored": {Ignore: ignored(t, ".data.mode", `.items[key="d"]`, ".image")},
	} {
		var got bytes.Buffer
		doc := report.New(golden.RunOf("v1.36.3"), []report.Result{reviewed(), unchanged(), conflicted(), created()})
		if err := stream.Play(in("structured", &got, o), doc); err != nil {
			t.Fatal(err)
		}
		golden.CheckGolden(t, name+".structured", got.String())
	}
}

// FuzzStructured checks that no value acts on a terminal, nor breaks a line
// that is not its own.
func FuzzStructured(f *testing.F) {
	f.Add("a", "b")
	f.Add("one\ntwo\n", "one\n\x1b[2J\u202e\n")
	f.Add("\xff", "- x: |\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		r := configured()
		r.Live = map[string]any{"k": before, before: after, "l": []any{map[string]any{"name": before}, after}}
		r.Object = map[string]any{"k": after, after: before, "l": []any{map[string]any{"name": after}, before}}
		var out bytes.Buffer
		if err := stream.Play(in("structured", &out, Options{Owners: true}), report.New(golden.RunOf("v"), []report.Result{r})); err != nil {
			t.Fatal(err)
		}
		for _, l := range strings.Split(out.String(), "\n") {
			if !glyph.IsVisible(l) {
				t.Errorf("it acts: %q", l)
			}
		}
	})
}
