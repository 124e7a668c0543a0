package lint

import (
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var duplicateKeys = finding.Rule{
	Name: "duplicate-keys", Severity: report.SeverityError,
	Title: "A list has two items that cannot be told apart.",
	Why:   "The items of the list are known by their keys, or by their value. The API server rejects every apply of the manifest; a client-side apply loses one of the items.",
}

var missingKey = finding.Rule{
	Name: "missing-key", Severity: report.SeverityError,
	Title: "An item of a keyed list lacks a key.",
	Why:   "Without its keys the API server cannot know which item is meant, and rejects the apply.",
}

// findListFaults looks through the lists of the manifest whose items are known by keys, or by
// their value.
func findListFaults(s *subject) {
	if !s.Deduced && s.Object != nil {
		walk(s, s.Object, nil, s.Shape)
	}
}

// walk goes along positions: items that are repeated have the same path otherwise.
func walk(s *subject, v any, path fieldpath.Path, shape managedfields.Shape) {
	switch v := v.(type) {
	case map[string]any:
		if shape.AtomicMap() {
			return
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if len(path) > 0 || key != "status" {
				walk(s, v[key], below(path, key), shape.Field(key))
			}
		}
	case []any:
		if !shape.Associative() {
			return
		}
		findKeyless(s, v, path, shape)
		findRepeated(s, v, path, shape)
		findPorts(s, v, path, shape)
		for i, item := range v {
			walk(s, item, append(path.Copy(), fieldpath.PathElement{Index: &i}), shape.Item())
		}
	}
}

// findKeyless finds items without keys by which the items of their list are known, where
// the manifest is refused: a few kinds take an empty one.
func findKeyless(s *subject, list []any, path fieldpath.Path, shape managedfields.Shape) {
	if !s.Result.Outcome.Refused() {
		return
	}
	for i, item := range list {
		// Keys with a default that could be meant are not missing: of required ones the
		// definitions say that it is an empty text, or zero.
		element, _ := shape.Element(item)
		missing := slices.DeleteFunc(leftOut(item, shape), func(key string) bool {
			return element.Key != nil && slices.ContainsFunc(*element.Key, func(f value.Field) bool {
				return f.Name == key && !zero(f.Value.Unstructured())
			})
		})
		if len(missing) == 0 {
			continue
		}
		field := s.field(append(path.Copy(), fieldpath.PathElement{Index: &i}))
		for _, key := range missing {
			s.lacking[field+"."+key] = true
		}
		s.fixing(
			missingKey,
			s.item(path, i),
			text.New("%v has no %v, by which the items of the list are known", text.Path(field), andNames(missing)),
			text.New("write %v", andNames(missing)),
			field,
		)
	}
}

// leftOut are the keys that an item leaves out.
func leftOut(item any, shape managedfields.Shape) []string {
	m, isMap := item.(map[string]any)
	return slices.DeleteFunc(slices.Clone(shape.Keys()), func(key string) bool {
		_, has := m[key]
		return has || !isMap
	})
}

// findRepeated finds items of one key or value, with the lines of each.
func findRepeated(s *subject, list []any, path fieldpath.Path, shape managedfields.Shape) {
	first := map[string]int{}
	for i, item := range list {
		element, ok := shape.Element(item)
		if !ok {
			continue
		}
		j, again := first[element.String()]
		if !again {
			first[element.String()] = i
			continue
		}
		field := s.field(append(path.Copy(), element))
		here, before := s.item(path, i), s.item(path, j)
		says := text.New("%v is written twice: on %v and on %v", text.Path(field), lineOf(before), lineOf(here))
		if missing := leftOut(item, shape); len(missing) > 0 {
			says = says.And(", ", text.New("where %v is left out and the default counts", andNames(missing)))
		}
		s.fixing(duplicateKeys, here, says, text.New("keep one of the two, or give one of them another key"), field)
	}
}

// andNames joins keys of a list: a and b.
func andNames(keys []string) text.Arg { return text.Name(strings.Join(keys, " and ")) }

func (s *subject) item(path fieldpath.Path, i int) *report.Source {
	return report.Nearest(s.Locator, append(path.Copy(), fieldpath.PathElement{Index: &i}))
}

// findPorts finds ports that share all keys but the protocol. Client-side apply replaces
// the lists of custom kinds, and merges by no key.
func findPorts(s *subject, list []any, path fieldpath.Path, shape managedfields.Shape) {
	if s.Target.Kind == "Pod" || s.Fields != nil {
		return
	}
	for _, same := range finding.PortsOf(list, shape) {
		first := lineOf(s.item(path, same.Items[0]))
		for i := 1; i < len(same.Items); i++ {
			here := s.item(path, same.Items[i])
			s.find(finding.PortsByProtocol, here, text.New(
				"%v: %v is on %v with %v and on %v with %v",
				text.Path(s.field(path)),
				text.Said(
					same.Name,
				),
				first,
				text.Name(same.Protocols[0]),
				lineOf(here),
				text.Name(same.Protocols[i]),
			), s.field(path))
		}
	}
}
