package causes

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// typeCauses reads the message for an applied configuration that is not of its type
// (apimachinery, managedfields/internal/structuredmerge.go, and
// structured-merge-diff, typed/helpers.go): one fault, or a line for each.
//
//	failed to create typed patch object (NAME; GROUP/VERSION, Kind=KIND): .spec.a: expected map, got string
//	failed to create typed patch object (…): errors:
//	  .spec.a: expected map, got string
//	  .spec.b: field not declared in schema
func typeCauses(message string) []report.Cause {
	rest, ok := strings.CutPrefix(message, typedPatch)
	if !ok {
		return nil
	}
	if _, rest, ok = strings.Cut(rest, "): "); !ok {
		return nil
	}
	var out []report.Cause
	for line := range strings.Lines(strings.TrimPrefix(rest, severalFault+"\n")) {
		field, fault, ok := cutPath(strings.TrimSpace(line))
		if !ok {
			return nil
		}
		out = append(out, report.Cause{Field: field, Message: fault})
	}
	return out
}

// runOn reports whether a quoted value may contain line ends, which makes the lines after
// it unreliable. Upstream quotes strings only where it expects one.
func (q *Question) runOn(causes []report.Cause) bool {
	if len(causes) > maxLocated {
		return hasLines(q.Body)
	}
	return slices.ContainsFunc(causes, func(c report.Cause) bool {
		if !strings.HasPrefix(c.Message, expectedType) || strings.HasPrefix(c.Message, expectedText) {
			return false
		}
		w := q.walk(c.Field, false)
		return w.rest == "" && hasLines(w.body)
	})
}

// hasLines reports whether a string in a tree has line ends, or the name of a field.
func hasLines(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, "\n")
	case []any:
		return slices.ContainsFunc(v, hasLines)
	case map[string]any:
		for key, value := range v {
			if strings.Contains(key, "\n") || hasLines(value) {
				return true
			}
		}
	}
	return false
}

// cutPath cuts a line after the field path at its start; keys in the path may contain
// anything in quotes.
func cutPath(line string) (field, rest string, ok bool) {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch {
		case quoted && line[i] == '\\':
			i++
		case line[i] == '"':
			quoted = !quoted
		case !quoted && strings.HasPrefix(line[i:], ": "):
			return line[:i], line[i+2:], line[0] == '.'
		}
	}
	return "", "", false
}

// strictCauses reads what strict decoding tells (apimachinery,
// runtime/error.go): fields that are unknown, or come twice.
//
//	… strict decoding error: unknown field "spec.a", duplicate field "spec.b"
func strictCauses(message string) []report.Cause {
	_, rest, ok := strings.Cut(message, strictErrors)
	var out []report.Cause
	for ok {
		words, after, quotes := strings.Cut(rest, ` "`)
		if !quotes || words != unknownField && words != repeatField {
			return nil
		}
		var field string
		if field, rest, ok = strings.Cut(after, `", `); !ok {
			field = strings.TrimSuffix(after, `"`)
		}
		out = append(out, report.Cause{Field: field, Message: words})
	}
	return out
}

var repeatedLine = regexp.MustCompile(`(?m)^ +line (\d+): (key ".*" ` + repeatedKey + `)$`)

// repeated are the keys that come twice in a map, which the decoder of YAML tells
// with their lines in the body:
//
//	… yaml: unmarshal errors:
//	  line 8: key "replicas" already set in map
func (q *Question) repeated(message string) []report.Cause {
	var out []report.Cause
	for _, found := range repeatedLine.FindAllStringSubmatch(message, -1) {
		c := report.Cause{Message: found[2]}
		if n, err := strconv.Atoi(found[1]); err == nil && q.Locator != nil {
			at := q.Locator.Text(n)
			c.Source = &at
		}
		out = append(out, c)
	}
	return out
}
