package redact

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Sealer puts keyed digests in the places where Secrets have values: equal values have
// equal digests, and values cannot be tried out without the key. What a Masker hides,
// a Sealer seals. With the same key it finds values again: those that it was shown. It is
// safe for concurrent use.
//
// A digest is a word that a label may have, and in the data of a Secret a JSON object in
// base64 that has it, since the API server looks there for no less:
//
//	digest.6b86b273.d4735e3a265e16eee03f59718b9b5d03019c07d8
//	{"ssactl.dev/digest":"digest.6b86b273.d4735e3a265e16eee03f59718b9b5d03019c07d8"}
type Sealer struct {
	mu    sync.Mutex
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

// Know remembers the values of an object, which Reveal finds again. A nil Sealer, which
// has no key, finds none.
func (s *Sealer) Know(object map[string]any) {
	if s != nil {
		s.Object(object)
	}
}

// Object gives an object with its values sealed. The given one is not changed.
func (s *Sealer) Object(object map[string]any) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m.object(object, func(v *value) string { return v.sealed })
}

// Digests are those that are left in an object.
type Digests struct {
	// Known counts those of values that the Sealer was not shown, Strange those that
	// were made with another key.
	Known, Strange int
	// Assumed are the paths (keys and positions) where the wanted value replaced a digest of
	// another key.
	Assumed [][]any
}

// Left reports whether there are any.
func (d Digests) Left() bool { return d.Known+d.Strange+len(d.Assumed) > 0 }

// Reveal replaces digests by the values that the Sealer has seen, and reports what is left.
// A digest that cannot be compared is assumed to be of the wanted value at its place.
// Wanted may be nil.
func (s *Sealer) Reveal(object, wanted map[string]any) (map[string]any, Digests) {
	var r revealing
	if s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		r.name, r.plain = s.name, s.plain
	}
	revealed, _ := r.tree(object, wanted, nil).(map[string]any)
	return revealed, r.left
}

// revealing is with the name of a key, empty for none, and the values that it knows.
type revealing struct {
	name  string
	plain map[string]string
	left  Digests
}

func (r *revealing) tree(v, wanted any, at []any) any {
	switch v := v.(type) {
	case map[string]any:
		wanted, _ := wanted.(map[string]any)
		if saysSecret(v) {
			wanted = withData(wanted)
		}
		return each(v, func(key string, item any) any { return r.tree(item, wanted[key], append(at, key)) })
	case []any:
		wanted, _ := wanted.([]any)
		i := -1
		return items(v, func(item any) any {
			if i++; len(wanted) != len(v) {
				return r.tree(item, nil, append(at, i))
			}
			return r.tree(item, wanted[i], append(at, i))
		})
	case string:
		return r.text(v, wanted, at)
	}
	return v
}

// withData is a manifest of a Secret with its stringData as the server stores it.
func withData(secret map[string]any) map[string]any {
	texts, ok := secret["stringData"].(map[string]any)
	if !ok {
		return secret
	}
	data, _ := secret["data"].(map[string]any)
	data = maps.Clone(data)
	if data == nil {
		data = map[string]any{}
	}
	for key, v := range texts {
		if s, ok := v.(string); ok {
			data[key] = base64.StdEncoding.EncodeToString([]byte(s))
		}
	}
	secret = maps.Clone(secret)
	secret["data"] = data
	return secret
}

var aDigest = regexp.MustCompile(`^digest\.[0-9a-f]{8}\.[0-9a-f]{40}$`)

func (r *revealing) text(v string, wanted any, at []any) any {
	if word, ok := digestIn(v); ok {
		plain, known := r.plain[word]
		switch {
		case known && word == v:
			return plain
		case known:
			return base64.StdEncoding.EncodeToString([]byte(plain))
		}
		return r.assumed(v, word, wanted, at)
	}
	if !strings.Contains(v, "digest.") && !strings.Contains(v, wrappedStart) {
		return v
	}
	object, ok := parsedObject(v)
	if !ok {
		return v
	}
	inside := revealing{name: r.name, plain: r.plain}
	text := rewritten(v, object, inside.tree(object, nil, nil))
	r.left.Known += inside.left.Known
	if inside.left.Strange > 0 {
		return r.assumed(text, "", wanted, at)
	}
	return text
}

// assumed replaces a digest that cannot be compared with the desired value by that value;
// other digests stay.
func (r *revealing) assumed(v, word string, wanted any, at []any) any {
	text, isText := wanted.(string)
	other, isDigest := digestIn(text)
	switch {
	case r.name != "" && keyOf(word) == r.name:
		r.left.Known++
	case !isText || isDigest && keyOf(word) == keyOf(other):
		r.left.Strange++
	default:
		r.left.Assumed = append(r.left.Assumed, slices.Clone(at))
		return text
	}
	return v
}

// digestIn is the digest that a text is, or contains as data.
func digestIn(text string) (string, bool) {
	if strings.HasPrefix(text, wrappedStart) {
		var in struct {
			Digest string `json:"ssactl.dev/digest"`
		}
		if plain, ok := fromBase64(text); !ok || json.Unmarshal([]byte(plain), &in) != nil {
			return "", false
		}
		text = in.Digest
	}
	return text, aDigest.MatchString(text)
}

func keyOf(word string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(word, "digest."), ".")
	return name
}

// MentionsDigest reports whether a text in JSON or YAML may have a digest in it.
func MentionsDigest(text []byte) bool {
	return bytes.Contains(text, []byte("digest.")) || bytes.Contains(text, []byte(wrappedStart))
}

// A digest in the data of a Secret is a JSON object in base64. wrappedStart begins all of
// them: whole groups of base64.
const inObject = `{"ssactl.dev/digest":"`

var wrappedStart = base64.StdEncoding.EncodeToString([]byte(inObject)[:21])

func wrapped(word string) string {
	return base64.StdEncoding.EncodeToString([]byte(inObject + word + `"}`))
}

// Disguised gives a copy of an object with other values wherever a Masker masks one, and
// reports whether there are any. The API server takes it: data of a Secret stays base64.
func Disguised(object map[string]any, other func(plain string) string) (map[string]any, bool) {
	m := New()
	m.seal, m.inData = other, func(plain string) string { return base64.StdEncoding.EncodeToString([]byte(plain)) }
	disguised := m.object(object, func(v *value) string { return v.sealed })
	return disguised, !same(disguised, object)
}
