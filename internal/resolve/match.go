package resolve

import (
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// degree is how well a FIELD fits a field.
type degree int

const (
	matchesNot degree = iota
	// matchesAbove: the field is below what the FIELD names.
	matchesAbove
	// matchesEnd: the field's path ends in the FIELD.
	matchesEnd
	// matchesWhole: the FIELD is the whole path.
	matchesWhole
)

// spelled is a field path with the ways in which people write its parts.
type spelled struct {
	// field is the path as the server writes it.
	field string
	path  fieldpath.Path
	parts []part
}

// part is one path element: the texts that may stand for it, longest first,
// each with its own dot or brackets.
type part []string

// spell gives the spellings of a path. position tells where in its list the
// item at a path stands; negative where that is not known.
func spell(field string, path fieldpath.Path, position func(fieldpath.Path) int) spelled {
	s := spelled{field: field, path: path}
	for i, element := range path {
		if element.FieldName != nil {
			s.parts = append(s.parts, namePart(*element.FieldName))
			continue
		}
		s.parts = append(s.parts, itemPart(element, position(path[:i+1])))
	}
	return s
}

func namePart(name string) part {
	escaped := strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	return part{
		"['" + name + "']", `["` + name + `"]`, "[" + name + "]",
		"." + strings.ReplaceAll(name, ".", `\.`), "/" + escaped, "." + name,
	}
}

// itemPart are the spellings of a list item: the server's own, its key values
// alone, a JSONPath filter, its position.
func itemPart(element fieldpath.PathElement, position int) part {
	out := part{element.String()}
	var texts []string
	switch {
	case element.Value != nil:
		texts = plainTexts(*element.Value)
	case element.Key != nil:
		keys := *element.Key
		if len(keys) == 1 {
			texts = plainTexts(keys[0].Value)
			for _, text := range plainTexts(keys[0].Value) {
				out = append(out, "["+keys[0].Name+"="+text+"]", "[?(@."+keys[0].Name+"=="+text+")]")
			}
		} else {
			out = append(out, "["+joined(keys, 0)+"]", "["+joined(keys, 1)+"]")
		}
	}
	for _, text := range texts {
		out = append(out, "["+text+"]", "/"+text)
	}
	if element.Index != nil {
		position = *element.Index
	}
	if position >= 0 {
		out = append(out, fmt.Sprintf("[%d]", position), fmt.Sprintf("/%d", position), fmt.Sprintf(".%d", position))
	}
	return out
}

// joined writes several keys with their values, in the spelling of plainTexts
// of that index.
func joined(keys value.FieldList, spelling int) string {
	var out []string
	for _, key := range keys {
		texts := plainTexts(key.Value)
		out = append(out, key.Name+"="+texts[min(spelling, len(texts)-1)])
	}
	return strings.Join(out, ",")
}

// plainTexts are the spellings of a scalar: plain, and quoted both ways for a
// string.
func plainTexts(v value.Value) []string {
	if v.IsString() {
		s := v.AsString()
		return []string{s, strconv.Quote(s), "'" + s + "'"}
	}
	return []string{value.ToString(v)}
}

// matches tells how a FIELD fits, and which path it means then.
//
// A FIELD is a path as the server writes it, with or without the dot in front,
// with list items by key (containers[main], containers[name=main]), by
// position, as a JSON pointer or a JSONPath; or the end of one.
func (s spelled) matches(text string) (degree, string) {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "{"); ok {
		text = strings.TrimSuffix(inner, "}")
	}
	text = strings.TrimPrefix(text, "$")
	if text == "" || text == "." {
		return matchesNot, ""
	}
	if text == s.field || "."+text == s.field {
		return matchesWhole, s.field
	}
	if len(s.parts) == 0 {
		if strings.HasSuffix(s.field, "."+strings.TrimPrefix(text, ".")) {
			return matchesEnd, s.field
		}
		return matchesNot, ""
	}
	if text[0] != '.' && text[0] != '[' && text[0] != '/' {
		text = "." + text
	}
	best, meant := matchesNot, ""
	for start := range s.parts {
		end, ok := s.reach(text, start)
		if d := s.degree(start, end); ok && d > best {
			best, meant = d, s.field
			if d == matchesAbove {
				meant = s.path[:end].String()
			}
		}
	}
	return best, meant
}

func (s spelled) degree(start, end int) degree {
	switch {
	case end < len(s.parts):
		return matchesAbove
	case start > 0:
		return matchesEnd
	}
	return matchesWhole
}

// reach follows the text from a part on, and gives the part behind its end.
func (s spelled) reach(text string, from int) (int, bool) {
	if text == "" {
		return from, true
	}
	if from == len(s.parts) {
		return 0, false
	}
	for _, form := range s.parts[from] {
		rest, ok := strings.CutPrefix(text, form)
		if !ok || rest != "" && rest[0] != '.' && rest[0] != '[' && rest[0] != '/' {
			continue
		}
		if end, ok := s.reach(rest, from+1); ok {
			return end, true
		}
	}
	return 0, false
}
