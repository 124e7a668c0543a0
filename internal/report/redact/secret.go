package redact

import (
	"bytes"
	"encoding/json"
	"strings"

	"sigs.k8s.io/yaml"
)

// lastApplied is where kubectl keeps a copy of the whole manifest.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// IsSecret reports whether an object of this kind is a Secret of the core
// group, or was meant to be one: "/v1", "core/v1" and "secret" are mistakes
// that make no value public. Groups of others have a dot.
func IsSecret(apiVersion, kind string) bool {
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "secret", "secrets", "secretlist":
	default:
		return false
	}
	group, _, _ := strings.Cut(apiVersion, "/")
	return !strings.Contains(group, ".")
}

// isSecret reports whether an object says that it is a Secret. A reference to
// one says so as well, but has nothing of an object.
func isSecret(object map[string]any) bool {
	if !saysSecret(object) {
		return false
	}
	for key := range object {
		switch strings.ToLower(key) {
		case "data", "stringdata", "metadata", "items":
			return true
		}
	}
	return false
}

func saysSecret(object map[string]any) bool {
	kind, _ := object["kind"].(string)
	apiVersion, _ := object["apiVersion"].(string)
	return IsSecret(apiVersion, kind)
}

// holds reports whether there is a Secret anywhere in a tree, its texts
// included.
func holds(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		if isSecret(v) {
			return true
		}
		for _, item := range v {
			if holds(item) {
				return true
			}
		}
	case []any:
		for _, item := range v {
			if holds(item) {
				return true
			}
		}
	case string:
		return holdsText(v)
	}
	return false
}

// holdsText reports whether a text is a manifest with a Secret.
func holdsText(s string) bool {
	if !strings.Contains(s, "ecret") && !strings.Contains(s, "ECRET") || !Mentions([]byte(s)) {
		return false
	}
	for _, tree := range trees(s) {
		if holds(tree) {
			return true
		}
	}
	return false
}

// trees are the documents of a text in YAML or JSON, as far as they can be read.
func trees(s string) []any {
	var out []any
	for _, document := range strings.Split("\n"+s, "\n---") {
		var tree any
		if err := yaml.Unmarshal([]byte(document), &tree); err == nil && tree != nil {
			out = append(out, tree)
		}
	}
	return out
}

// Mentions reports whether a text in YAML or JSON, encoded as a string of one
// or not, may have a Secret in it: something after the word kind is Secret. It
// is quick, and says yes rather than no.
func Mentions(text []byte) bool {
	for _, word := range [][]byte{[]byte("ecret"), []byte("ECRET")} {
		for at := 0; ; {
			found := bytes.Index(text[at:], word)
			if found < 0 {
				break
			}
			at += found + len(word)
			if isKind(text, at-len(word), at) {
				return true
			}
		}
	}
	return false
}

// kindBefore is how far before its value the word kind is looked for.
const kindBefore = 48

// isKind reports whether the word that has "ecret" at [from, to) follows "kind"
// and is no longer than Secret, Secrets or SecretList.
func isKind(text []byte, from, to int) bool {
	rest := text[to:]
	for _, end := range []string{"List", "LIST", "s", "S"} {
		if bytes.HasPrefix(rest, []byte(end)) {
			rest = rest[len(end):]
			break
		}
	}
	if len(rest) > 0 && isLetter(rest[0]) {
		return false
	}
	before := text[max(0, from-kindBefore):from]
	return bytes.Contains(bytes.ToLower(before), []byte("kind"))
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// parsedObject is a text that is an object in JSON.
func parsedObject(s string) (map[string]any, bool) {
	var object map[string]any
	if !strings.HasPrefix(strings.TrimSpace(s), "{") || json.Unmarshal([]byte(s), &object) != nil {
		return nil, false
	}
	return object, object != nil
}
