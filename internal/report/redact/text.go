package redact

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/go-openapi/jsonpointer"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// The server's messages can quote values that were not learned: what it read in
// another way, or cut off. These are the places where it does.
var quotes = []*regexp.Regexp{
	regexp.MustCompile(`(?m)(expected s[a-z ]*, got ).*`),
	// Where no string is expected, the value is reported with its line ends.
	regexp.MustCompile(`(?s)(expected [a-rt-z][a-z ]*, got ).*`),
	regexp.MustCompile(
		`(?s)(\b(?:data|stringData|annotations|finalizers|managedFields|patch|last-applied-configuration)[^\s:]*: (?:Invalid|Duplicate|Unsupported|Too long) value: )"(?:[^"\\]|\\.)+"`,
	),
	regexp.MustCompile(
		`(?s)(error decoding versioned set from|unable to parse|cannot unmarshal|Object 'Kind' is missing in|error found in #\d+ byte of|bigger context) .*`,
	),
}

// Text masks the values that a text of the server or of a user quotes.
func (m *Masker) Text(s string) string { return m.searched(s, quoted) }

// Sentence masks the values in a sentence of ssactl, in which words and names never count
// as values.
func (m *Masker) Sentence(s string) string { return m.searched(s, anywhere) }

func (m *Masker) searched(s string, least weight) string {
	if m.Shows() || !m.knows.Load() || s == "" {
		return s
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.masking().replace(s, least)
}

func (m *Masker) replace(s string) string { return m.masking().replace(s, quoted) }

func (p pass) replace(s string, least weight) string {
	p.m.wake(s)
	return p.m.search.replace(text{s, least, p.m.public}, p.show)
}

// sentence masks what is said of a Secret: also what the server quotes.
func (m walker) sentence(s string) string {
	if s == "" || isMask(s) {
		return s
	}
	for i, q := range quotes {
		with := "${1}***"
		if i == len(quotes)-1 {
			with = "${1} ***"
		}
		s = q.ReplaceAllString(s, with)
	}
	return m.replace(s)
}

// fault masks what is said of a field, as sentence does where the field is reported
// in front of it.
func (m walker) fault(field, s string) string {
	if field == "" || s == "" {
		return m.sentence(s)
	}
	head := field + ": "
	return strings.TrimPrefix(m.sentence(head+s), m.sentence(head))
}

// sentences masks the strings of a tree that are sentences, as those of a Status.
func (m walker) sentences(v any) any {
	switch v := v.(type) {
	case map[string]any:
		field, _ := v["field"].(string)
		return each(v, func(key string, item any) any {
			if s, ok := item.(string); ok && key == "message" {
				return m.fault(field, s)
			}
			return m.sentences(item)
		})
	case []any:
		return items(v, m.sentences)
	case string:
		return m.sentence(v)
	}
	return v
}

// path masks what a field path of a Secret has in brackets: values of sets, and
// keys of list items.
func (m walker) path(field string) string {
	at := strings.IndexByte(field, '[')
	if at < 0 || shownPath(field) {
		return field
	}
	if name, _ := managedfields.Top(field); name == "metadata" {
		if strings.HasPrefix(field[at:], "[=") {
			return field[:at] + "[=***]"
		}
		return field[:at] + "[***]"
	}
	return managedfields.FieldOfSecret(field)
}

// shownPath reports whether what is in brackets names a finalizer, the owner of
// an object, or a place.
func shownPath(field string) bool {
	if rest, ok := strings.CutPrefix(field, ".metadata.finalizers[="); ok {
		var s string
		return json.Unmarshal([]byte(strings.TrimSuffix(rest, "]")), &s) == nil && isFinalizer(s)
	}
	return strings.HasPrefix(field, ".metadata.ownerReferences[uid=")
}

// fieldOf is the field path that a JSON pointer means, as far as that can be seen.
func fieldOf(pointer string) string {
	var b strings.Builder
	for _, name := range strings.Split(pointer, "/")[min(1, len(pointer)):] {
		b.WriteString("." + jsonpointer.Unescape(name))
	}
	return b.String()
}
