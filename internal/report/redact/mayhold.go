package redact

import (
	"bytes"
	"encoding/json"
	"strings"
)

// MayHold reports whether somewhere in a valid JSON text there may be an object that is
// a Secret, or a string that is a manifest of one. It is quick, and looks closer than
// Mentions: a sentence about Secrets, as schemas have many, is none.
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

// isEnd reports whether a quote is at a place, and is not escaped.
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
