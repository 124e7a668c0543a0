package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
)

// shortest is the length from which a value is searched for by itself: shorter
// ones would blacken words that have nothing to do with it.
const shortest = 4

// words are values that say nothing by themselves, and stand in all texts.
var words = map[string]bool{
	"true": true, "false": true, "null": true, "none": true, "secret": true, "Secret": true, "secrets": true,
	"data": true, "stringData": true, "metadata": true, "type": true, "immutable": true, "Opaque": true,
	"kind": true, "apiVersion": true, "name": true, "namespace": true, "labels": true, "annotations": true, "managedFields": true,
}

// lines are the spellings of the lines of a value of several, each of which a
// text may quote by itself.
func lines(plain string) []string {
	if !strings.ContainsAny(plain, "\r\n") {
		return nil
	}
	var out []string
	for line := range strings.Lines(plain) {
		if line = strings.TrimSpace(line); len(line) >= shortest {
			out = append(out, spelled(line)...)
		}
	}
	return out
}

// spelled are the ways in which a value is written, itself first, wherever it
// occurs. One that is short, a number or a common word has to stand in quotes.
func spelled(s string) []string {
	switch {
	case s == "":
		return nil
	case len(s) < shortest || words[s] || isNumber(s):
		return []string{`"` + s + `"`, `'` + s + `'`, `\"` + s + `\"`, "`" + s + "`"}
	case isSimple(s):
		return []string{s}
	}
	return append(inTexts(s),
		strings.TrimSpace(s), url.QueryEscape(s), url.PathEscape(s), html.EscapeString(s), html.EscapeString(jsonInner(s)),
		strings.ReplaceAll(s, "'", "''"), strings.ReplaceAll(s, "'", `'\''`), strings.ReplaceAll(s, "\n", "\r\n"))
}

// depth is how many texts in JSON, each in a string of the next, a value is
// searched for in: an annotation of a copy of a Secret that a message quotes.
const depth = 4

// inTexts are the text and what it becomes in strings of JSON and of Go.
func inTexts(s string) []string {
	out := []string{s, goInner(s)}
	escaped, bare := s, s
	for range depth {
		escaped, bare = jsonInner(escaped), jsonUnescaped(bare)
		out = append(out, escaped, goInner(escaped), bare, goInner(bare))
	}
	return out
}

// isSimple reports whether no encoder writes the text in another way.
func isSimple(s string) bool {
	for _, c := range []byte(s) {
		if !isLetter(c) && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

// isNumber reports whether a text is a number of few digits, as a port is.
func isNumber(s string) bool { return len(s) <= 5 && strings.Trim(s, "0123456789") == "" }

// base64Of are the encodings in base64; those that are short tell nothing.
func base64Of(plain string) []string {
	if len(plain) == 0 {
		return nil
	}
	padded := base64.StdEncoding.EncodeToString([]byte(plain))
	out := []string{padded}
	if raw := strings.TrimRight(padded, "="); raw != padded && len(raw) >= shortest {
		out = append(out, raw)
	}
	if strings.ContainsAny(padded, "+/") {
		forURL := strings.NewReplacer("+", "-", "/", "_").Replace(padded)
		out = append(out, forURL, strings.TrimRight(forURL, "="), url.QueryEscape(padded), html.EscapeString(padded), strings.ReplaceAll(padded, "+", "&#43;"))
	}
	return out
}

// fromBase64 decodes as the server does, which passes over line ends.
func fromBase64(s string) (string, bool) {
	plain, err := base64.StdEncoding.DecodeString(s)
	return string(plain), err == nil
}

func goInner(s string) string {
	quoted := fmt.Sprintf("%q", s)
	return quoted[1 : len(quoted)-1]
}

func jsonInner(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return s
	}
	return string(b[1 : len(b)-1])
}

// jsonUnescaped is jsonInner of an encoder that leaves <, > and & alone.
func jsonUnescaped(s string) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(jsonInner(s))
}
