package words

import "github.com/ssactl/ssactl/internal/render/glyph"

// Fits reports whether values, written as Scalar does, take so many columns together
// at most. Of values that take far more, little is looked at.
func Fits(columns int, values ...any) bool {
	for _, v := range values {
		if columns = left(columns, v); columns < 0 {
			return false
		}
	}
	return true
}

// left is how many columns are left behind a value; negative for none.
func left(columns int, v any) int {
	switch v := v.(type) {
	case map[string]any:
		columns -= bracketed(len(v))
		for key, item := range v {
			if columns < 0 {
				break
			}
			columns = left(columns-len(": ")-glyph.Columns(Quoted(key)), item)
		}
		return columns
	case []any:
		columns -= bracketed(len(v))
		for i := 0; i < len(v) && columns >= 0; i++ {
			columns = left(columns, v[i])
		}
		return columns
	}
	return columns - glyph.Columns(Scalar(v))
}

// bracketed is how many columns the brackets of a map or list take, and what stands
// between its items.
func bracketed(items int) int { return len("[]") + len(", ")*max(0, items-1) }
