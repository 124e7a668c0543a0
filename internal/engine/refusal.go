package engine

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// causes tells what is wrong with what was asked for, by line of the manifest;
// nil where the server does not name fields. Upstream goes through a schema in any
// order, so that the order of the server differs from run to run.
func (s *simulation) causes(a answer) []report.Cause {
	if a.outcome != report.Invalid {
		return nil
	}
	out := statusCauses(a.status)
	if out == nil {
		out = strictCauses(a.status.Message)
	}
	merged := s.write.Verb == api.Apply
	if out == nil {
		// Types are those of the applied configuration, before it is merged.
		out, merged = typeCauses(a.status.Message), false
		if s.runOn(out) {
			return nil
		}
	}
	// Which of many are located is no matter of chance either.
	slices.SortFunc(out, byField)
	for i := range out[:min(len(out), maxLocated)] {
		s.locate(&out[i], merged)
	}
	if out == nil {
		out = s.repeated(a.status.Message)
	}
	if out == nil {
		out = s.undecoded(a.status.Message)
	}
	if out == nil {
		out = s.mistyped(a.status.Message)
	}
	slices.SortFunc(out, byLine)
	return out
}

// byLine has causes without a line come late, and those of no field last.
func byLine(a, b report.Cause) int {
	return cmp.Or(cmp.Compare(lineOf(a), lineOf(b)), byField(a, b))
}

func byField(a, b report.Cause) int {
	return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Message, b.Message))
}

// lineOf is the line of a cause, or what sorts after all lines.
func lineOf(c report.Cause) int {
	switch {
	case c.Source != nil:
		return c.Source.Line
	case c.Field != "":
		return math.MaxInt - 1
	}
	return math.MaxInt
}

// noField is how the Status has that a cause is of no field.
const noField = "<nil>"

// statusCauses are those that the Status lists, each once: upstream repeats some
// for each version that it validates.
func statusCauses(st *report.Status) []report.Cause {
	details, _ := st.Raw["details"].(map[string]any)
	list, _ := details["causes"].([]any)
	var out []report.Cause
	seen := map[[2]string]bool{}
	for _, item := range list {
		m, _ := item.(map[string]any)
		field, _ := m["field"].(string)
		message, _ := m["message"].(string)
		if field == noField {
			field = ""
		}
		if key := [2]string{field, message}; !seen[key] {
			seen[key] = true
			out = append(out, report.Cause{Field: field, Message: message})
		}
	}
	return out
}

// typeCauses reads the message that tells why an applied configuration is not of
// its type (apimachinery, managedfields/internal/structuredmerge.go, and
// structured-merge-diff, typed/helpers.go): one fault, or a line for each.
//
//	failed to create typed patch object (NAME; GROUP/VERSION, Kind=KIND): .spec.a: expected map, got string
//	failed to create typed patch object (…): errors:
//	  .spec.a: expected map, got string
//	  .spec.b: field not declared in schema
func typeCauses(message string) []report.Cause {
	rest, ok := strings.CutPrefix(message, "failed to create typed patch object (")
	if !ok {
		return nil
	}
	if _, rest, ok = strings.Cut(rest, "): "); !ok {
		return nil
	}
	var out []report.Cause
	for line := range strings.Lines(strings.TrimPrefix(rest, "errors:\n")) {
		field, fault, ok := cutPath(strings.TrimSpace(line))
		if !ok {
			return nil
		}
		out = append(out, report.Cause{Field: field, Message: fault})
	}
	return out
}

// runOn tells whether a value that one of the causes quotes may have line ends, so
// that the lines behind it may be more of it, and no causes. Upstream quotes strings
// only where it expects one.
func (s *simulation) runOn(causes []report.Cause) bool {
	if len(causes) > maxLocated {
		return hasLines(s.write.Decoded)
	}
	return slices.ContainsFunc(causes, func(c report.Cause) bool {
		if !strings.HasPrefix(c.Message, "expected ") || strings.HasPrefix(c.Message, "expected string, ") {
			return false
		}
		w := s.walk(c.Field, false)
		return w.rest == "" && hasLines(w.body)
	})
}

// hasLines tells whether a string in a tree has line ends, or the name of a field.
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

// cutPath cuts a line behind the field path that it starts with, whose keys may
// have anything in quotes.
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

// What is said of fields that do not exist.
const (
	notDeclared  = "field not declared in schema"
	unknownField = "unknown field"
)

// strictCauses reads what strict decoding tells (apimachinery,
// runtime/error.go): fields that are unknown, or come twice.
//
//	… strict decoding error: unknown field "spec.a", duplicate field "spec.b"
func strictCauses(message string) []report.Cause {
	_, rest, ok := strings.Cut(message, "strict decoding error: ")
	var out []report.Cause
	for ok {
		words, after, quotes := strings.Cut(rest, ` "`)
		if !quotes || words != unknownField && words != "duplicate field" {
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

var repeatedKey = regexp.MustCompile(`(?m)^ +line (\d+): (key ".*" already set in map)$`)

// repeated are the keys that come twice in a map, which the decoder of YAML tells
// with their lines in the body:
//
//	… yaml: unmarshal errors:
//	  line 8: key "replicas" already set in map
func (s *simulation) repeated(message string) []report.Cause {
	var out []report.Cause
	for _, found := range repeatedKey.FindAllStringSubmatch(message, -1) {
		c := report.Cause{Message: found[2]}
		if n, err := strconv.Atoi(found[1]); err == nil && s.write.Locator != nil {
			at := s.write.Locator.Text(n)
			c.Source = &at
		}
		out = append(out, c)
	}
	return out
}
