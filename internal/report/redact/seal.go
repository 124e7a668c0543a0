package redact

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"
)

// Sealer puts keyed digests in the places where Secrets have values: equal values have
// equal digests, and nobody who lacks the key can try values out. What a Masker hides,
// a Sealer seals. With the same key it finds values again: those that it was shown.
//
// A digest is a word that a label may have, and in the data of a Secret a JSON object in
// base64 that has it, since the API server looks there for no less:
//
//	digest.6b86b273.d4735e3a265e16eee03f59718b9b5d03019c07d8
//	{"ssactl.dev/digest":"digest.6b86b273.d4735e3a265e16eee03f59718b9b5d03019c07d8"}
type Sealer struct {
	key   []byte
	name  string
	m     *Masker
	plain map[string]string
}

// NewSealer gives a Sealer with a key.
func NewSealer(key []byte) *Sealer {
	s := &Sealer{key: key, m: New(), plain: map[string]string{}}
	s.name = s.digest("ssactl snapshot key")[:8]
	s.m.inData = wrapped
	s.m.seal = func(plain string) string {
		word := "digest." + s.name + "." + s.digest(plain)[:40]
		s.plain[word] = plain
		return word
	}
	return s
}

func (s *Sealer) digest(text string) string {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// Name is what digests of this key have in them.
func (s *Sealer) Name() string { return s.name }

// Object gives an object with its values sealed. The given one is not changed.
func (s *Sealer) Object(object map[string]any) map[string]any {
	p := pass{s.m, func(v *value) string { return v.sealed }}
	s.m.learnObject(object)
	if saysSecret(object) {
		return p.secret(object)
	}
	sealed, _ := p.tree(object).(map[string]any)
	return sealed
}

// Digests are those that are left in an object.
type Digests struct {
	// Known counts those of values that the Sealer was not shown, Strange those that
	// were made with another key.
	Known, Strange int
}

// Reveal gives an object with the values in the place of the digests that are of values
// which the Sealer has seen, and counts the others.
func (s *Sealer) Reveal(object map[string]any) (map[string]any, Digests) {
	r := revealing{s: s}
	revealed, _ := r.tree(object).(map[string]any)
	return revealed, r.left
}

// revealing is a walk over an object.
type revealing struct {
	s    *Sealer
	left Digests
}

func (r *revealing) tree(v any) any {
	p := pass{}
	switch v := v.(type) {
	case map[string]any:
		return p.each(v, func(_ string, item any) any { return r.tree(item) })
	case []any:
		return p.items(v, r.tree)
	case string:
		return r.text(v)
	}
	return v
}

var aDigest = regexp.MustCompile(`^digest\.[0-9a-f]{8}\.[0-9a-f]{40}$`)

func (r *revealing) text(v string) string {
	switch {
	case aDigest.MatchString(v):
		if plain, ok := r.known(v); ok {
			return plain
		}
	case strings.HasPrefix(v, wrappedStart):
		if word, ok := unwrapped(v); ok {
			if plain, ok := r.known(word); ok {
				return base64.StdEncoding.EncodeToString([]byte(plain))
			}
		}
	case strings.Contains(v, "digest.") || strings.Contains(v, wrappedStart):
		if object, ok := parsedObject(v); ok {
			return rewritten(v, object, r.tree(object))
		}
	}
	return v
}

// known is the value of a digest, if the Sealer has seen it; else the digest counts.
func (r *revealing) known(word string) (string, bool) {
	if r.s == nil || !strings.HasPrefix(word, "digest."+r.s.name+".") {
		r.left.Strange++
		return "", false
	}
	plain, ok := r.s.plain[word]
	if !ok {
		r.left.Known++
	}
	return plain, ok
}

// MentionsDigest reports whether a text in JSON or YAML may have a digest in it.
func MentionsDigest(text []byte) bool {
	return bytes.Contains(text, []byte("digest.")) || bytes.Contains(text, []byte(wrappedStart))
}

// inData is how a digest stands in the data of a Secret.
type inData struct {
	Digest string `json:"ssactl.dev/digest"`
}

// wrappedStart begins all digests in data: whole groups of base64.
var wrappedStart = base64.StdEncoding.EncodeToString([]byte(`{"ssactl.dev/digest":"`)[:21])

// wrapped is a digest as the data of a Secret has it.
func wrapped(word string) string {
	// A text is always JSON.
	b, _ := json.Marshal(inData{word})
	return base64.StdEncoding.EncodeToString(b)
}

func unwrapped(text string) (string, bool) {
	b, err := base64.StdEncoding.DecodeString(text)
	var in inData
	if err != nil || json.Unmarshal(b, &in) != nil || !aDigest.MatchString(in.Digest) {
		return "", false
	}
	return in.Digest, true
}
