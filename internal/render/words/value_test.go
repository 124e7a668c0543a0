package words

import (
	"testing"

	"github.com/ssactl/ssactl/internal/render/glyph"
)

// TestFits holds Fits against what Scalar writes, to the column.
func TestFits(t *testing.T) {
	for _, v := range []any{
		nil, true, int64(12), 1.5, "", "plain", "two words: quoted", "宽\u0301", map[string]any{}, []any{},
		map[string]any{"a": "b"}, map[string]any{"yes": []any{"x", int64(1), nil}, "b": map[string]any{"c: d": "\n"}},
		[]any{[]any{}, map[string]any{}, "true", "\u200b"},
	} {
		wide := glyph.Columns(Scalar(v))
		if !Fits(wide, v) || Fits(wide-1, v) || !Fits(2*wide, v, v) || Fits(2*wide-1, v, v) {
			t.Errorf("Fits is not exact for %s, of %d columns", Scalar(v), wide)
		}
	}
}

// TestBoth: an empty text is said in words next to a mask, and is quoted next to anything else.
func TestBoth(t *testing.T) {
	const mask = "*** (secret 1)"
	for _, test := range []struct {
		before, after any
		want          [2]string
	}{
		{mask, "", [2]string{`"` + mask + `"`, "(empty)"}}, {"", mask, [2]string{"(empty)", `"` + mask + `"`}},
		{"", "x", [2]string{`""`, "x"}}, {nil, mask, [2]string{"null", `"` + mask + `"`}}, {map[string]any{}, mask, [2]string{"{}", `"` + mask + `"`}},
	} {
		if a, b := Both(test.before, test.after); [2]string{a, b} != test.want {
			t.Errorf("%v and %v: %s and %s", test.before, test.after, a, b)
		}
	}
}
