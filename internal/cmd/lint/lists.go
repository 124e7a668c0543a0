package lint

import (
	"fmt"
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

var portsByProtocol = finding.Rule{
	Name: "ports-differ-by-protocol", Severity: report.SeverityNote,
	Title: "Ports differ by their protocol only.",
	Why:   "Server-side apply tells them apart by port and protocol, but client-side apply and strategic merge patches by the port alone: they merge the two into one, or lose one.",
	Fix:   "apply the manifest server-side only",
}

// lists looks through the lists of the manifest whose items are known by keys, or by
// their value.
func (s *subject) lists() {
	if s.Deduced || s.Object == nil {
		return
	}
	s.walk(s.Object, nil, s.Shape)
}

// walk goes along positions: items that are repeated have the same path otherwise.
func (s *subject) walk(v any, path fieldpath.Path, shape managedfields.Shape) {
	switch v := v.(type) {
	case map[string]any:
		if shape.AtomicMap() {
			return
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if len(path) > 0 || key != "status" {
				s.walk(v[key], append(path.Copy(), fieldpath.FieldNameElement(key)), shape.Field(key))
			}
		}
	case []any:
		if !shape.Associative() {
			return
		}
		s.keyless(v, path, shape)
		s.repeated(v, path, shape)
		s.byProtocol(v, path, shape)
		for i, item := range v {
			s.walk(item, append(path.Copy(), fieldpath.PathElement{Index: &i}), shape.Item())
		}
	}
}

// keyless finds items without keys by which the items of their list are known, where
// the manifest is refused: a few kinds take an empty one.
func (s *subject) keyless(list []any, path fieldpath.Path, shape managedfields.Shape) {
	if !s.Result.Outcome.Refused() {
		return
	}
	for i, item := range list {
		missing := missingKeys(item, shape)
		if missing == nil {
			continue
		}
		field := s.field(append(path.Copy(), fieldpath.PathElement{Index: &i}))
		for _, key := range missing {
			s.lacking[field+"."+key] = true
		}
		s.fixing(missingKey, s.item(path, i), text.New("%v has no %v, by which the items of the list are known", text.Path(field), andNames(missing)), text.New("write %v", andNames(missing)), field)
	}
}

// missingKeys are those that an item lacks, and that have no default that could be
// meant: of required ones the definitions say that it is an empty text, or zero.
func missingKeys(item any, shape managedfields.Shape) []string {
	m, ok := item.(map[string]any)
	if !ok {
		return nil
	}
	element, _ := shape.Element(item)
	var out []string
	for _, key := range shape.Keys() {
		if _, has := m[key]; !has && !defaults(element, key) {
			out = append(out, key)
		}
	}
	return out
}

// defaults reports whether an element has a value of a key that may be meant.
func defaults(element fieldpath.PathElement, key string) bool {
	return element.Key != nil && slices.ContainsFunc(*element.Key, func(f value.Field) bool {
		return f.Name == key && !zero(f.Value.Unstructured())
	})
}

// repeated finds items of one key or value, with the lines of each.
func (s *subject) repeated(list []any, path fieldpath.Path, shape managedfields.Shape) {
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
		if missing := defaulted(shape, item); len(missing) > 0 {
			says = says.And(", ", text.New("where %v is left out and the default counts", andNames(missing)))
		}
		s.fixing(duplicateKeys, here, says, text.New("keep one of the two, or give one of them another key"), field)
	}
}

// andNames joins keys of a list: a and b.
func andNames(keys []string) text.Arg { return text.Name(strings.Join(keys, " and ")) }

// defaulted are the keys that an item leaves out.
func defaulted(shape managedfields.Shape, item any) []string {
	m, ok := item.(map[string]any)
	if !ok {
		return nil
	}
	var missing []string
	for _, key := range shape.Keys() {
		if _, has := m[key]; !has {
			missing = append(missing, key)
		}
	}
	return missing
}

func (s *subject) item(path fieldpath.Path, i int) *report.Source {
	return report.Nearest(s.Locator, append(path.Copy(), fieldpath.PathElement{Index: &i}))
}

// byProtocol finds ports that share all keys but the protocol. Client-side apply replaces
// the lists of custom kinds, and merges by no key.
func (s *subject) byProtocol(list []any, path fieldpath.Path, shape managedfields.Shape) {
	keys := shape.Keys()
	if len(keys) < 2 || !slices.Contains(keys, "protocol") || s.Target.Kind == "Pod" || s.Fields != nil {
		return
	}
	type port struct {
		place    int
		protocol string
	}
	first := map[string]port{}
	for i, item := range list {
		name, protocol := portOf(item, shape)
		if protocol == "" {
			continue
		}
		before, again := first[name]
		if !again {
			first[name] = port{i, protocol}
			continue
		}
		if before.protocol == protocol {
			continue
		}
		here := s.item(path, i)
		s.find(portsByProtocol, here, text.New("%v: %v is on %v with %v and on %v with %v", text.Path(s.field(path)),
			text.Said(name), lineOf(s.item(path, before.place)), text.Name(before.protocol), lineOf(here), text.Name(protocol)), s.field(path))
	}
}

// portOf is the protocol of a port, which the schema may have a default for, and its other
// keys; an empty protocol is that of no port.
func portOf(item any, shape managedfields.Shape) (name, protocol string) {
	element, ok := shape.Element(item)
	if !ok || element.Key == nil {
		return "", ""
	}
	var rest []string
	for _, f := range *element.Key {
		if v := f.Value.Unstructured(); f.Name == "protocol" {
			protocol, _ = v.(string)
		} else {
			rest = append(rest, fmt.Sprint(f.Name, "=", v))
		}
	}
	return strings.Join(rest, ","), protocol
}
