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
	"github.com/ssactl/ssactl/test/mutate"
	"github.com/ssactl/ssactl/test/sampled"
)

var (
	requests = flag.Int("requests", 3000, "how many changed requests TestChangedRequests sends")
	seed     = flag.Uint64("seed", 1, "the seed of their changes")
)

// TestChangedRequests sends recorded requests that were changed at random, in
// body, live object and parameters: whatever the server's code panics on comes
// back as an error for that request, never as a crash, and a refusal leaves
// the live object as it was. `make soak` sends a million.
func TestChangedRequests(t *testing.T) {
	pool, err := mutate.Read(filepath.Join("..", "..", "testdata", "corpus"))
	if err != nil {
		t.Fatal(err)
	}
	every := sampled.Every(t, 20)
	servers := map[string]*Server{}
	for _, r := range pool {
		if servers[r.Cluster] == nil {
			servers[r.Cluster] = newServer(t, Options{CRDs: r.Definitions})
		}
	}
	const workers = 4
	tallies := make([]map[string]int, workers)
	var all sync.WaitGroup
	for worker := range workers {
		tallies[worker] = map[string]int{}
		all.Go(func() {
			m := mutate.Mutator{Random: rand.New(rand.NewPCG(*seed, uint64(worker))), Pool: pool}
			for range *requests / workers / every {
				r := m.Request()
				tallies[worker][sendChanged(t, servers[r.Cluster], r.Call)]++
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
func sendChanged(t *testing.T, server *Server, call api.Request) string {
	response, err := server.Do(context.Background(), call)
	if err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n")
		before, _, _ := strings.Cut(text, "invalid character")
		return "error: " + before[:min(len(before), 100)]
	}
	if response.Code < 200 || response.Code > 599 || !json.Valid(response.Body) {
		t.Errorf(
			"%s %s: code %d, body %.200q; request %.2000s; live %.2000s", call.Verb, call.Kind,
			response.Code, response.Body, call.Body, call.Live,
		)
	}
	if response.Code >= 300 && len(call.Live) > 0 && !cmp.Equal(jsonTree(response.Stored), jsonTree(call.Live)) {
		t.Errorf(
			"%s %s: refused with %d, and yet the live object changed (-live +stored):\n%s", call.Verb,
			call.Kind, response.Code,
			cmp.Diff(jsonTree(call.Live), jsonTree(response.Stored)),
		)
	}
	return fmt.Sprint(response.Code)
}

func jsonTree(text []byte) (v any) {
	if err := json.Unmarshal(text, &v); err != nil {
		return err.Error()
	}
	return v
}
