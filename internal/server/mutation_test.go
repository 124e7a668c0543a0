package server

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
)

var (
	requests = flag.Int("requests", 3000, "how many changed requests TestChangedRequests sends")
	seed     = flag.Uint64("seed", 1, "the seed of their changes")
)

// recorded is a request with the server that knows its kinds.
type recorded struct {
	server *Server
	call   api.Request
}

// TestChangedRequests sends recorded requests that were changed at random, in
// body, live object and parameters: whatever the server's code panics on comes
// back as an error for that request, never as a crash, and a refusal leaves
// the live object as it was. `make soak` sends a million.
func TestChangedRequests(t *testing.T) {
	pool := recordedRequests(t)
	const workers = 4
	tallies := make([]map[string]int, workers)
	var all sync.WaitGroup
	for worker := range workers {
		tallies[worker] = map[string]int{}
		all.Go(func() {
			m := mutator{random: rand.New(rand.NewPCG(*seed, uint64(worker))), pool: pool}
			for range *requests / workers {
				r := m.request()
				tallies[worker][sendChanged(t, r)]++
			}
		})
	}
	all.Wait()
	sum := map[string]int{}
	for _, tally := range tallies {
		for what, n := range tally {
			sum[what] += n
		}
	}
	for _, what := range slices.Sorted(maps.Keys(sum)) {
		t.Logf("%7d %s", sum[what], what)
	}
	if sum["200"] == 0 || sum["409"] == 0 || sum["422"] == 0 {
		t.Error("the changes leave nothing to accept, to conflict or to refuse")
	}
}

// sendChanged sends a request and says in a word how it ended.
func sendChanged(t *testing.T, r recorded) string {
	response, err := r.server.Do(context.Background(), r.call)
	if err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n")
		before, _, _ := strings.Cut(text, "invalid character")
		return "error: " + before[:min(len(before), 100)]
	}
	if response.Code < 200 || response.Code > 599 || !json.Valid(response.Body) {
		t.Errorf("%s %s: code %d, body %.200q; request %.2000s; live %.2000s", r.call.Verb, r.call.Kind, response.Code, response.Body, r.call.Body, r.call.Live)
	}
	if response.Code >= 300 && len(r.call.Live) > 0 && !cmp.Equal(jsonTree(response.Stored), jsonTree(r.call.Live)) {
		t.Errorf("%s %s: refused with %d, and yet the live object changed (-live +stored):\n%s", r.call.Verb, r.call.Kind, response.Code, cmp.Diff(jsonTree(r.call.Live), jsonTree(response.Stored)))
	}
	return fmt.Sprint(response.Code)
}

func jsonTree(text []byte) (v any) {
	if err := json.Unmarshal(text, &v); err != nil {
		return err.Error()
	}
	return v
}

func recordedRequests(t *testing.T) []recorded { return recordedRequestsOn(t, ShortPath) }

func recordedRequestsOn(t *testing.T, path Path) []recorded {
	t.Helper()
	packs, err := filepath.Glob(filepath.Join("..", "..", "testdata", "corpus", "*.jsonl.gz"))
	if err != nil || len(packs) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	var pool []recorded
	servers := map[string]*Server{}
	for _, pack := range packs {
		scenarios, err := parity.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		for _, scenario := range scenarios {
			key := fmt.Sprint(scenario.CRDs)
			if servers[key] == nil {
				var crds [][]byte
				for _, crd := range scenario.CRDs {
					crds = append(crds, crd)
				}
				if servers[key], err = New(Options{CRDs: crds, Path: path}); err != nil {
					t.Fatal(err)
				}
			}
			for _, step := range scenario.Steps {
				call, err := parity.Request(step)
				if err != nil {
					t.Fatal(err)
				}
				pool = append(pool, recorded{servers[key], call})
			}
		}
	}
	return pool
}

// mutator changes requests.
type mutator struct {
	random *rand.Rand
	pool   []recorded
}

func (m *mutator) one(of ...any) any { return of[m.random.IntN(len(of))] }

func (m *mutator) chance(oneIn int) bool { return m.random.IntN(oneIn) == 0 }

// request is a recorded one with a few changes.
func (m *mutator) request() recorded {
	r := m.pool[m.random.IntN(len(m.pool))]
	for range 1 + m.random.IntN(3) {
		switch m.random.IntN(8) {
		case 0, 1, 2, 3:
			r.call.Body = m.text(r.call.Body)
		case 4, 5:
			r.call.Live = m.text(r.call.Live)
		case 6:
			m.parameters(&r.call)
		case 7:
			r.call.Live = m.another(r).Live
		}
	}
	return r
}

// another is a request of the same kind, where one is found quickly.
func (m *mutator) another(r recorded) api.Request {
	for range 50 {
		other := m.pool[m.random.IntN(len(m.pool))].call
		if other.Kind.GroupKind() == r.call.Kind.GroupKind() {
			return other
		}
	}
	return r.call
}

func (m *mutator) parameters(call *api.Request) {
	switch m.random.IntN(6) {
	case 0:
		call.Verb = m.one(api.Apply, api.Create, api.Update, api.MergePatch, api.JSONPatch, api.StrategicPatch, api.Delete).(api.Verb)
		call.MediaType = ""
	case 1:
		call.Subresource = m.one("", "status", "scale", "approval", "resize", "ephemeralcontainers", "binding", "finalize", "bogus").(string)
	case 2:
		call.Manager = m.one("", "a", "kubectl", strings.Repeat("m", 129), "é\u0000").(string)
	case 3:
		call.Force = !call.Force
	case 4:
		call.FieldValidation = m.one("", "Strict", "Warn", "Ignore", "Loud").(string)
	case 5:
		call.Name = m.one("", "web", "UPPER/..", strings.Repeat("n", 300)).(string)
	}
}

// text changes JSON by its structure, and any text by its bytes.
func (m *mutator) text(text []byte) []byte {
	var tree any
	if len(text) == 0 {
		return text
	}
	if m.chance(12) || json.Unmarshal(text, &tree) != nil {
		return m.bytes(text)
	}
	changed, err := json.Marshal(m.tree(tree))
	if err != nil {
		return m.bytes(text)
	}
	return changed
}

func (m *mutator) bytes(text []byte) []byte {
	at := m.random.IntN(len(text))
	end := min(len(text), at+m.random.IntN(8))
	insert := m.one("", "\x00", `"`, "{", "}", "[1", "\n---\n", "&a *a", "\xff\xfe", "1e999").(string)
	return slices.Concat(text[:at], []byte(insert), text[end:])
}

// tree changes one place somewhere in a value.
func (m *mutator) tree(v any) any {
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		if len(keys) == 0 || m.chance(10) {
			return m.object(v, keys)
		}
		key := keys[m.random.IntN(len(keys))]
		v[key] = m.tree(v[key])
		return v
	case []any:
		if len(v) == 0 || m.chance(4) {
			return m.list(v)
		}
		i := m.random.IntN(len(v))
		v[i] = m.tree(v[i])
		return v
	}
	return m.value(v)
}

func (m *mutator) object(v map[string]any, keys []string) any {
	switch {
	case len(keys) == 0 || m.chance(4):
		v[m.one("x", "", "spec", "metadata", "name", "$patch", "$setElementOrder/ports", "k:{\"a\":1}", "f:spec", "\u2028").(string)] = m.value(nil)
	case m.chance(2):
		delete(v, keys[m.random.IntN(len(keys))])
	default:
		return m.value(v)
	}
	return v
}

func (m *mutator) list(v []any) any {
	switch {
	case len(v) == 0:
		return append(v, m.value(nil))
	case m.chance(3):
		return append(v, v[m.random.IntN(len(v))])
	case m.chance(2):
		m.random.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
		return v
	case m.chance(2):
		return v[:len(v)-1]
	}
	return m.value(v)
}

// value is another value: one that servers have stumbled over, or one from
// somewhere in another request.
func (m *mutator) value(was any) any {
	if m.chance(3) {
		var other any
		if json.Unmarshal(m.pool[m.random.IntN(len(m.pool))].call.Body, &other) == nil {
			return m.somewhere(other)
		}
	}
	return m.one(was, nil, "", "x", "1000m", "1e400000", "-1", "0x10", "y", "null", "$(A)", "*", "1.2.3.4", "::1", "::/129", "2026-01-01T00:00:00Z",
		"0001-01-01T00:00:00Z", strings.Repeat("a", 300), "\u0000", "{{", 0, 1, -1, 65536, 1<<31, 1<<53+1, 1.5, 1e300, true, false,
		map[string]any{}, []any{}, []any{nil}, []any{[]any{}}, map[string]any{"": nil}, map[string]any{"a": map[string]any{}},
		map[string]any{"matchLabels": map[string]any{"a": "b"}}, []any{map[string]any{"name": "a"}, map[string]any{"name": "a"}})
}

func (m *mutator) somewhere(v any) any {
	for !m.chance(3) {
		switch inner := v.(type) {
		case map[string]any:
			keys := slices.Sorted(maps.Keys(inner))
			if len(keys) == 0 {
				return v
			}
			v = inner[keys[m.random.IntN(len(keys))]]
		case []any:
			if len(inner) == 0 {
				return v
			}
			v = inner[m.random.IntN(len(inner))]
		default:
			return v
		}
	}
	return v
}
