package show

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/words"
)

func TestScalar(t *testing.T) {
	cases := []struct {
		value any
		want  string
	}{
		{nil, "null"}, {true, "true"}, {int64(5), "5"}, {1.5, "1.5"},
		{"web", "web"}, {"nginx:1.27", "nginx:1.27"}, {"", `""`}, {"5", `"5"`},
		{"0x1f", `"0x1f"`}, {"1e3", `"1e3"`}, {"yes", `"yes"`}, {"null", `"null"`},
		{"2026-11-21", `"2026-11-21"`}, {"12:30", `"12:30"`}, {"a b", `"a b"`}, {"-", `"-"`},
		{`C:\x`, `"C:\\x"`}, {"a\nb", `"a\nb"`},
		{map[string]any{"b": []any{"x", int64(1)}, "a": nil}, "{a: null, b: [x, 1]}"},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, words.Scalar(c.value)); diff != "" {
			t.Errorf("%v: (-want +got)\n%s", c.value, diff)
		}
	}
}

// FuzzEncode checks that what is escaped for a terminal still reads back as
// the same value, in both languages.
func FuzzEncode(f *testing.F) {
	for _, s := range []string{"", "plain", "a\u202eb", "\x1b[2J", `\x01202e\x02`, "\u202e\\x015c\\x02\\", "a\n\u200bb\n", "\U000e0041", "\t x",
		"::a", "a\n ::b\n", "::/0", "a ::b", "##[c]", `\x01##[`, "::\x01::"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		valid := strings.ToValidUTF8(s, "?")
		want := map[string]any{valid: "v"}
		want["k"] = valid
		for name, encode := range map[string]func(any) (string, error){
			"yaml": objects.YAML,
			"json": func(v any) (string, error) { return objects.JSON(v, "  ") },
		} {
			text, err := encode(want)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var got map[string]any
			read := json.Unmarshal
			if name == "yaml" {
				read = func(b []byte, v any) error { return yaml.Unmarshal(b, v) }
			}
			if err := read([]byte(text), &got); err != nil {
				t.Fatalf("%s %q: %v", name, text, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s %q: (-want +got)\n%s", name, text, diff)
			}
		}
	})
}

// FuzzScalar checks that a value is one visible line, and that cutting keeps
// to its limit.
func FuzzScalar(f *testing.F) {
	f.Add("a\x1b[2J\u202e", 5)
	f.Add("こんにちは", 4)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = 1 + max(0, limit%200)
		got := words.Scalar(map[string]any{s: []any{s}})
		if !glyph.IsVisible(got) {
			t.Errorf("%q is shown as %q", s, got)
		}
		if short := glyph.Cut(got, limit); glyph.Columns(short) > limit {
			t.Errorf("%q has %d glyph.Columns, not %d", short, glyph.Columns(short), limit)
		}
	})
}
