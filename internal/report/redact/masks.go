package redact

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// digest stands for a value that need not be held any longer.
type digest = [sha256.Size]byte

// masks numbers the secret values of a run.
type masks struct {
	numbers map[digest]int
	// quoted maps each spelling in which a text may quote a value to its mask.
	quoted map[string]string
	// spellings are the keys of quoted, longest first; nil when out of date.
	spellings []string
}

func newMasks() *masks {
	return &masks{numbers: map[digest]int{}, quoted: map[string]string{}}
}

// shortest is the length from which a value is searched for in texts: shorter
// ones would blacken words that have nothing to do with it.
const shortest = 4

// of gives the mask of a plain value.
func (m *masks) of(plain string) string {
	key := sha256.Sum256([]byte(plain))
	n, ok := m.numbers[key]
	if !ok {
		n = len(m.numbers) + 1
		m.numbers[key] = n
	}
	mask := fmt.Sprintf("*** (secret %d)", n)
	m.remember(plain, mask)
	m.remember(base64.StdEncoding.EncodeToString([]byte(plain)), mask)
	for _, line := range strings.Split(plain, "\n") {
		m.remember(strings.TrimSpace(line), mask)
	}
	return mask
}

// remember keeps a spelling, and how Go and JSON quote it.
func (m *masks) remember(s, mask string) {
	if len(s) < shortest {
		return
	}
	quoted := fmt.Sprintf("%q", s)
	for _, form := range []string{s, quoted[1 : len(quoted)-1], jsonInner(s)} {
		if _, ok := m.quoted[form]; !ok && len(form) >= shortest {
			m.quoted[form] = mask
			m.spellings = nil
		}
	}
}

func jsonInner(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return s
	}
	return string(b[1 : len(b)-1])
}

// data masks a value of data, which is base64 of the plain one. What is not
// base64 is taken as it stands.
func (m *masks) data(v any) any {
	s, ok := v.(string)
	if !ok {
		return m.plain(v)
	}
	if decoded, err := base64.StdEncoding.DecodeString(s); err == nil {
		mask := m.of(string(decoded))
		m.remember(s, mask)
		return mask
	}
	return m.of(s)
}

// plain masks a value of any type; null tells nothing and stays.
func (m *masks) plain(v any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return m.of(v)
	}
	m.leaves(v)
	return m.of(fmt.Sprint(v))
}

// leaves remembers the strings inside a value that is masked as a whole.
func (m *masks) leaves(v any) {
	switch v := v.(type) {
	case string:
		m.of(v)
	case []any:
		for _, item := range v {
			m.leaves(item)
		}
	case map[string]any:
		for _, k := range sortedKeys(v) {
			m.leaves(v[k])
		}
	}
}

// order sorts the spellings so that a value is masked before its parts.
func (m *masks) order() []string {
	if m.spellings == nil {
		for s := range m.quoted {
			m.spellings = append(m.spellings, s)
		}
		sort.Slice(m.spellings, func(i, j int) bool {
			a, b := m.spellings[i], m.spellings[j]
			if len(a) != len(b) {
				return len(a) > len(b)
			}
			return a < b
		})
	}
	return m.spellings
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
