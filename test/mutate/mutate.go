// Package mutate changes recorded requests at random, for tests whose law holds for
// any request.
package mutate

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
)

// Recorded is a recorded request, with the definitions of the cluster that was
// asked. Requests of equal Cluster have equal Definitions.
type Recorded struct {
	Cluster     string
	Definitions [][]byte
	Call        api.Request
}

// Read gives the requests of all recordings in a folder.
func Read(dir string) ([]Recorded, error) {
	packs, err := filepath.Glob(filepath.Join(dir, "*.jsonl.gz"))
	if err != nil || len(packs) == 0 {
		return nil, fmt.Errorf("no recordings in %s (%w)", dir, err)
	}
	var pool []Recorded
	for _, pack := range packs {
		scenarios, err := parity.ReadFile(pack)
		if err != nil {
			return nil, err
		}
		for _, scenario := range scenarios {
			r := Recorded{Cluster: fmt.Sprint(scenario.CRDs)}
			for _, crd := range scenario.CRDs {
				r.Definitions = append(r.Definitions, crd)
			}
			for _, step := range scenario.Steps {
				if r.Call, err = parity.Request(step); err != nil {
					return nil, err
				}
				pool = append(pool, r)
			}
		}
	}
	return pool, nil
}

// Mutator changes requests. Equal seeds of Random give equal changes.
type Mutator struct {
	Random *rand.Rand
	Pool   []Recorded
}

// One is one of some values.
func (m *Mutator) One(of ...any) any { return of[m.Random.IntN(len(of))] }

// Chance is true one time in so many.
func (m *Mutator) Chance(oneIn int) bool { return m.Random.IntN(oneIn) == 0 }

// Request is a recorded one with a few changes.
func (m *Mutator) Request() Recorded {
	r := m.Pool[m.Random.IntN(len(m.Pool))]
	for range 1 + m.Random.IntN(3) {
		switch m.Random.IntN(8) {
		case 0, 1, 2, 3:
			r.Call.Body = m.Text(r.Call.Body)
		case 4, 5:
			r.Call.Live = m.Text(r.Call.Live)
		case 6:
			m.Parameters(&r.Call)
		case 7:
			r.Call.Live = m.another(r).Live
		}
	}
	return r
}

// another is a request of the same kind, where one is found quickly.
func (m *Mutator) another(r Recorded) api.Request {
	for range 50 {
		other := m.Pool[m.Random.IntN(len(m.Pool))].Call
		if other.Kind.GroupKind() == r.Call.Kind.GroupKind() {
			return other
		}
	}
	return r.Call
}

// Parameters changes one of the parameters of a call.
func (m *Mutator) Parameters(call *api.Request) {
	switch m.Random.IntN(6) {
	case 0:
		call.Verb = m.One(
			api.Apply, api.Create, api.Update, api.MergePatch, api.JSONPatch, api.StrategicPatch, api.Delete,
		).(api.Verb)
		call.MediaType = ""
	case 1:
		call.Subresource = m.One(
			"", "status", "scale", "approval", "resize", "ephemeralcontainers", "binding", "finalize", "bogus",
		).(string)
	case 2:
		call.Manager = m.One("", "a", "kubectl", strings.Repeat("m", 129), "é\u0000").(string)
	case 3:
		call.Force = !call.Force
	case 4:
		call.FieldValidation = m.One("", "Strict", "Warn", "Ignore", "Loud").(string)
	case 5:
		call.Name = m.One("", "web", "UPPER/..", strings.Repeat("n", 300)).(string)
	}
}

// Text changes JSON by its structure, and any text by its bytes.
func (m *Mutator) Text(text []byte) []byte {
	var tree any
	if len(text) == 0 {
		return text
	}
	if m.Chance(12) || json.Unmarshal(text, &tree) != nil {
		return m.bytes(text)
	}
	changed, err := json.Marshal(m.Tree(tree))
	if err != nil {
		return m.bytes(text)
	}
	return changed
}

func (m *Mutator) bytes(text []byte) []byte {
	at := m.Random.IntN(len(text))
	end := min(len(text), at+m.Random.IntN(8))
	insert := m.One("", "\x00", `"`, "{", "}", "[1", "\n---\n", "&a *a", "\xff\xfe", "1e999").(string)
	return slices.Concat(text[:at], []byte(insert), text[end:])
}

// Tree changes one place somewhere in a value.
func (m *Mutator) Tree(v any) any {
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		if len(keys) == 0 || m.Chance(10) {
			return m.object(v, keys)
		}
		key := keys[m.Random.IntN(len(keys))]
		v[key] = m.Tree(v[key])
		return v
	case []any:
		if len(v) == 0 || m.Chance(4) {
			return m.list(v)
		}
		i := m.Random.IntN(len(v))
		v[i] = m.Tree(v[i])
		return v
	}
	return m.value(v)
}

func (m *Mutator) object(v map[string]any, keys []string) any {
	switch {
	case len(keys) == 0 || m.Chance(4):
		key := m.One(
			"x", "", "spec", "metadata", "name", "$patch", "$setElementOrder/ports", `k:{"a":1}`, "f:spec", "\u2028",
		).(string)
		v[key] = m.value(nil)
	case m.Chance(2):
		delete(v, keys[m.Random.IntN(len(keys))])
	default:
		return m.value(v)
	}
	return v
}

func (m *Mutator) list(v []any) any {
	switch {
	case len(v) == 0:
		return append(v, m.value(nil))
	case m.Chance(3):
		return append(v, v[m.Random.IntN(len(v))])
	case m.Chance(2):
		m.Random.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
		return v
	case m.Chance(2):
		return v[:len(v)-1]
	}
	return m.value(v)
}

// value is another value: one that servers have stumbled over, or one from
// somewhere in another request.
func (m *Mutator) value(was any) any {
	if m.Chance(3) {
		var other any
		if json.Unmarshal(m.Pool[m.Random.IntN(len(m.Pool))].Call.Body, &other) == nil {
			return m.somewhere(other)
		}
	}
	return m.One(
		was, nil, "", "x", "1000m", "1e400000", "-1", "0x10", "y", "null", "$(A)", "*", "1.2.3.4", "::1",
		"::/129", "2026-01-01T00:00:00Z", "0001-01-01T00:00:00Z", strings.Repeat("a", 300), "\u0000",
		"{{", 0, 1,
		-1,
		65536,
		1<<31,
		1<<53+1,
		1.5, 1e300, true, false,
		map[string]any{},
		[]any{},
		[]any{nil},
		[]any{[]any{}},
		map[string]any{"": nil},
		map[string]any{"a": map[string]any{}},
		map[string]any{
			"matchLabels": map[string]any{"a": "b"},
		},
		[]any{map[string]any{"name": "a"}, map[string]any{"name": "a"}},
	)
}

func (m *Mutator) somewhere(v any) any {
	for !m.Chance(3) {
		switch inner := v.(type) {
		case map[string]any:
			keys := slices.Sorted(maps.Keys(inner))
			if len(keys) == 0 {
				return v
			}
			v = inner[keys[m.Random.IntN(len(keys))]]
		case []any:
			if len(inner) == 0 {
				return v
			}
			v = inner[m.Random.IntN(len(inner))]
		default:
			return v
		}
	}
	return v
}
