package redact

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"
)

// lastApplied is where kubectl keeps a copy of the whole manifest.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// IsSecret reports whether a kind is a Secret of the core group, or was meant to be one:
// "/v1", "core/v1" and "secret" are mistakes. Groups of others have a dot.
func IsSecret(apiVersion, kind string) bool {
	switch kind = strings.TrimSpace(kind); len(kind) {
	case len("secret"), len("secrets"), len("secretlist"):
	default:
		return false
	}
	switch strings.ToLower(kind) {
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
	// Most maps have no kind, and all of them are asked.
	kind, has := object["kind"].(string)
	if !has {
		return false
	}
	apiVersion, _ := object["apiVersion"].(string)
	return IsSecret(apiVersion, kind)
}

// Holds reports whether there is a Secret anywhere in a tree, its texts included.
func Holds(v any) bool { return holdsBeside(v, nil) }

// holdsBeside is Holds of a tree beside one that holds none: what they share is not looked at
// again, which is most of an object before and after a write.
func holdsBeside(v, other any) bool {
	if other != nil && same(v, other) {
		return false
	}
	switch v := v.(type) {
	case map[string]any:
		if isSecret(v) {
			return true
		}
		beside, _ := other.(map[string]any)
		for key, item := range v {
			if holdsBeside(item, beside[key]) {
				return true
			}
		}
	case []any:
		beside, _ := other.([]any)
		for i, item := range v {
			var other any
			if i < len(beside) {
				other = beside[i]
			}
			if holdsBeside(item, other) {
				return true
			}
		}
	case string:
		return HoldsText(v)
	}
	return false
}

// HoldsText reports whether a text is a manifest with a Secret.
func HoldsText(s string) bool {
	if !strings.Contains(s, "ecret") && !strings.Contains(s, "ECRET") || !saysKind([]byte(s)) {
		return false
	}
	for _, tree := range trees(s) {
		if Holds(tree) {
			return true
		}
	}
	return false
}

// Actions of a template: those on a line of their own are no YAML; others replace a value.
var (
	actionLine = regexp.MustCompile(`(?m)^[ \t]*(?:\{\{[^{}]*\}\}[ \t]*)+$`)
	action     = regexp.MustCompile(`\{\{[^{}]*\}\}`)
)

// trees are the documents of a text in YAML or JSON, or of a template of it, as far
// as they can be read.
func trees(s string) []any {
	var out []any
	for _, document := range strings.Split("\n"+s, "\n---") {
		var tree any
		err := yaml.Unmarshal([]byte(document), &tree)
		if err != nil && strings.Contains(document, "{{") {
			err = yaml.Unmarshal([]byte(action.ReplaceAllString(actionLine.ReplaceAllString(document, ""), "x")), &tree)
		}
		if err == nil && tree != nil {
			out = append(out, tree)
		}
	}
	return out
}

// Mentions reports whether a text in YAML or JSON may have a Secret in it, also as an
// encoded string. It is quick and errs on the side of yes: for the word Secret alone,
// another spelling after the word kind, and letters written as escapes.
func Mentions(text []byte) bool {
	return bytes.Contains(text, []byte(`\u00`)) || bytes.Contains(text, []byte(`\x`)) ||
		anyKind(text, func(from int) bool {
			return bytes.HasSuffix(text[:from], []byte("S")) || followsKind(text, from)
		})
}

// saysKind reports whether a text says of something that its kind is Secret.
func saysKind(text []byte) bool {
	return anyKind(text, func(from int) bool { return followsKind(text, from) })
}

// anyKind asks about each word that is Secret, Secrets or SecretList, in any
// case, by the place of its second letter.
func anyKind(text []byte, ask func(from int) bool) bool {
	for _, letters := range []string{"ecret", "ECRET"} {
		for at := 0; ; {
			found := bytes.Index(text[at:], []byte(letters))
			if found < 0 {
				break
			}
			from := at + found
			at = from + len(letters)
			if isWord(text, from, at) && ask(from) {
				return true
			}
		}
	}
	return false
}

func isWord(text []byte, from, to int) bool {
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
	if from == 0 || text[from-1]|0x20 != 's' {
		return false
	}
	before := text[:from-1]
	// What is before may be the letter of an escape: \n, \t.
	return len(before) == 0 || !isLetter(before[len(before)-1]) || len(before) > 1 && before[len(before)-2] == '\\'
}

// kindBefore is how far before its value the word kind is looked for.
const kindBefore = 48

// followsKind reports whether the word kind and a colon are before a place.
func followsKind(text []byte, from int) bool {
	before := bytes.ToLower(text[max(0, from-kindBefore):from])
	at := bytes.LastIndex(before, []byte("kind"))
	return at >= 0 && bytes.IndexByte(before[at:], ':') >= 0
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func parsedObject(s string) (map[string]any, bool) {
	var object map[string]any
	if !strings.HasPrefix(strings.TrimSpace(s), "{") || json.Unmarshal([]byte(s), &object) != nil {
		return nil, false
	}
	return object, object != nil
}

// MayHold reports whether a valid JSON text may contain a Secret, also as a manifest in a
// string. It is quick, and unlike Mentions ignores sentences about Secrets.
func MayHold(text []byte) bool {
	if escapesLetter(text) {
		return true
	}
	for _, letters := range []string{"ecret", "ECRET"} {
		for at := 0; ; {
			found := bytes.Index(text[at:], []byte(letters))
			if found < 0 {
				break
			}
			from, to := stringAround(text, at+found)
			if saysSecretAt(text, from, to) {
				return true
			}
			at = to
		}
	}
	return false
}

// escapesLetter reports whether a letter may be written as an escape.
func escapesLetter(text []byte) bool {
	for ; ; text = text[1:] {
		at := bytes.Index(text, []byte(`\u00`))
		if at < 0 {
			return false
		}
		if text = text[at+len(`\u00`):]; len(text) == 0 || text[0] >= '4' && text[0] <= '7' {
			return true
		}
	}
}

// stringAround is where the string is that has a place in it, without its quotes.
func stringAround(text []byte, at int) (from, to int) {
	for from = at; from > 0 && !isEnd(text, from-1); from-- {
	}
	for to = at; to < len(text) && !isEnd(text, to); to++ {
	}
	return from, to
}

func isEnd(text []byte, at int) bool {
	if text[at] != '"' {
		return false
	}
	escapes := 0
	for at > escapes && text[at-1-escapes] == '\\' {
		escapes++
	}
	return escapes%2 == 0
}

// saysSecretAt reports whether a string is the kind of a Secret, or says in its text that
// the kind of something is one.
func saysSecretAt(text []byte, from, to int) bool {
	value := text[from:to]
	if bytes.IndexByte(value, '\\') >= 0 {
		var s string
		if json.Unmarshal(text[from-1:to+1], &s) != nil {
			return true
		}
		value = []byte(s)
	}
	return saysKind(value) || IsSecret("", string(value)) && followsKey(text[:from-1], "kind")
}

// followsKey reports whether the value of a key comes next.
func followsKey(before []byte, key string) bool {
	before, ok := bytes.CutSuffix(bytes.TrimRight(before, " \t\r\n"), []byte(":"))
	return ok && strings.HasSuffix(strings.TrimRight(string(before[max(0, len(before)-64):]), " \t\r\n"), `"`+key+`"`)
}
