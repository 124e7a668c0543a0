package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
)

// shortest is the length of the shortest line and of the shortest raw base64 that is
// searched for.
const shortest = 4

// weight says where a spelling counts as its value.
type weight int

const (
	// quoted: where a text of the server or of a user has it in quotes.
	quoted weight = iota
	// alone: in such a text, and not in the midst of a word or a name.
	alone
	// anywhere: in any text, that of ssactl included.
	anywhere
)

// The lengths from which a text is more than a common one: of letters or digits
// alone, and of others.
const (
	leastWord  = 8
	leastMixed = 6
)

// weigh is the weight of a text: values such as "true", "5432" and "admin" have to be
// in quotes, and those that could be a word or a name stand alone.
func weigh(s string) weight {
	plain := strings.Trim(s, letters) == "" || strings.Trim(s, digits) == ""
	switch {
	case words[s] || len(s) < leastMixed || plain && len(s) < leastWord:
		return quoted
	case isTelling(s):
		return anywhere
	}
	return alone
}

const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
	joints  = "-._/:@, "
)

// The lengths from which a run of letters is no word, and a text with spaces no phrase.
const (
	longestWord   = 20
	longestPhrase = 16
)

// isTelling reports whether a text is neither a word nor a name: it has unusual characters,
// or mixes letters and digits in a way that no name does.
func isTelling(s string) bool {
	switch {
	case len(s) < leastWord:
		return false
	case strings.Trim(s, letters+digits+joints) != "", len(s) >= longestPhrase && strings.Contains(s, " "):
		return true
	}
	turns := 0
	for _, run := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(joints, r) }) {
		if len(run) >= longestWord {
			return true
		}
		for i := 1; i < len(run); i++ {
			// A capital at the beginning is none.
			if classOf(run[i-1]) != classOf(run[i]) && (i > 1 || classOf(run[0]) != 'A') {
				turns++
			}
		}
	}
	return turns >= leastTurns
}

// leastTurns is how often letters, capitals and digits change in a text that is no name.
const leastTurns = 4

// classOf is 0 for all digits, A for all capitals, and a for the rest.
func classOf(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return '0'
	case c >= 'A' && c <= 'Z':
		return 'A'
	}
	return 'a'
}

// isValue reports whether a text is a value, and no common word or public name.
func (m *Masker) isValue(s string) bool {
	_, known := m.search.all[`"`+s+`"`]
	return known && len(s) >= shortest && !words[s] && !m.public[s]
}

// words are values that say nothing by themselves, and stand in all texts.
var words = map[string]bool{
	"true": true, "false": true, "null": true, "none": true, "secret": true, "Secret": true, "secrets": true,
	"data": true, "stringData": true, "metadata": true, "type": true, "immutable": true, "Opaque": true,
	"kind": true, "apiVersion": true, "name": true, "namespace": true, "labels": true, "annotations": true,
	"managedFields": true,
}

// lines are the lines of a multi-line value; a text may quote each of them.
func lines(plain string) []string {
	if strings.IndexByte(plain, '\n') < 0 && strings.IndexByte(plain, '\r') < 0 {
		return nil
	}
	var out []string
	for line := range strings.Lines(plain) {
		if line = strings.TrimSpace(line); len(line) >= shortest {
			out = append(out, line)
		}
	}
	return out
}

// spelled are the ways in which a value is written, itself first, wherever it
// occurs. A common one has to be in quotes.
func spelled(s string) []string {
	switch {
	case s == "":
		return nil
	case weigh(s) == quoted:
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
func isSimple(s string) bool { return simpleRun(s) == len(s) }

// simpleRun is how many characters at the beginning no encoder writes in another way.
func simpleRun(s string) int {
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' {
			return i
		}
	}
	return len(s)
}

// base64Of are the base64 encodings of a value, except very short ones.
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
		out = append(
			out,
			forURL,
			strings.TrimRight(forURL, "="),
			url.QueryEscape(padded),
			html.EscapeString(padded),
			strings.ReplaceAll(padded, "+", "&#43;"),
		)
	}
	return out
}

// base64Start is how the encoding of a text begins that begins with this one: whole groups, or
// all of it.
func base64Start(plain string) string { return base64.RawStdEncoding.EncodeToString([]byte(plain)) }

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
