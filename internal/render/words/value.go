package words

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
)

var (
	plainText  = regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./:@+=%-]*$`)
	timeOrBase = regexp.MustCompile(`^(\d{4}-\d\d?-\d\d?.*|[0-9]+(:[0-9.]+)+|.*:)$`)
)

// Scalar writes a JSON value as compact YAML on one line. A string is quoted
// when it could be read as something else.
func Scalar(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return Quoted(v)
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		for i, k := range keys {
			keys[i] = Quoted(k) + ": " + Scalar(v[k])
		}
		return "{" + strings.Join(keys, ", ") + "}"
	case []any:
		items := make([]string, len(v))
		for i := range v {
			items[i] = Scalar(v[i])
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	b, err := json.Marshal(v)
	if err != nil {
		return glyph.Visible(fmt.Sprint(v))
	}
	return glyph.Visible(string(b))
}

// Both writes two values that are compared. Next to a mask, an empty text is said in
// words.
func Both(before, after any) (a, b string) {
	a, b = Scalar(before), Scalar(after)
	if before == "" && isMasked(after) {
		a = empty
	}
	if after == "" && isMasked(before) {
		b = empty
	}
	return a, b
}

const empty = "(empty)"

func isMasked(v any) bool {
	s, is := v.(string)
	return is && strings.HasPrefix(s, "*** (")
}

// Quoted quotes a string unless YAML reads it back as the same string.
func Quoted(s string) string {
	if plainText.MatchString(s) && !looksLikeOther(s) {
		return s
	}
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
	return `"` + glyph.Visible(quoted) + `"`
}

func looksLikeOther(s string) bool {
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", ".inf", ".nan", "=", "<<":
		return true
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return true
	}
	if _, err := strconv.ParseInt(s, 0, 64); err == nil {
		return true
	}
	return timeOrBase.MatchString(s)
}

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
