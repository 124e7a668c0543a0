package server

import (
	"context"
	"encoding/json"
	"path/filepath"
	"sync"
	"testing"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/faithful"
	"github.com/ssactl/ssactl/test/parity"
	"github.com/ssactl/ssactl/test/sampled"
)

// recordedCalls are requests of all built-in kinds, a few of each scenario.
func recordedCalls(t testing.TB) []api.Request {
	t.Helper()
	scenarios, err := parity.ReadFile(filepath.Join("..", "..", "testdata", "corpus", "public-generated.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	var calls []api.Request
	for _, scenario := range scenarios {
		if len(scenario.CRDs) > 0 {
			continue
		}
		for i := 0; i < len(scenario.Steps); i += 3 {
			call, err := parity.Request(scenario.Steps[i])
			if err != nil {
				t.Fatal(err)
			}
			calls = append(calls, call)
		}
	}
	return calls
}

// TestConcurrentCalls is for the race detector: eight goroutines mix kinds on
// one server, whose storages are built at first use.
func TestConcurrentCalls(t *testing.T) {
	server, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	calls := sampled.Of(t, 8, recordedCalls(t))
	var all sync.WaitGroup
	for start := range 8 {
		all.Go(func() {
			for i := range calls {
				call := calls[(i*7+start*31)%len(calls)]
				if _, err := server.Do(context.Background(), call); err != nil {
					t.Errorf("%s %s: %v", call.Verb, call.Kind, err)
				}
			}
		})
	}
	all.Wait()
}

// TestEqualRequestsEqualAnswers: the server keeps nothing between calls.
func TestEqualRequestsEqualAnswers(t *testing.T) {
	server := newServer(t, Options{})
	for _, call := range recordedCalls(t)[:60] {
		first, err := server.Do(context.Background(), call)
		if err != nil {
			t.Fatal(err)
		}
		second, err := server.Do(context.Background(), call)
		if err != nil {
			t.Fatal(err)
		}
		if first.Code != second.Code || len(first.Body) != len(second.Body) {
			t.Errorf("%s %s %s: %d and %d bytes, then %d and %d", call.Verb, call.Kind, call.Name,
				first.Code, len(first.Body), second.Code, len(second.Body))
		}
	}
}

// FuzzDo changes bytes of recorded bodies: whatever the server's code panics
// on comes back as an error, never as a crash.
func FuzzDo(f *testing.F) {
	server := newServer(f, Options{})
	calls := recordedCalls(f)
	for i := range 20 {
		f.Add(uint(i*13), uint(i*17), []byte(`"x"`), uint(1))
	}
	f.Fuzz(func(t *testing.T, which, at uint, insert []byte, cut uint) {
		call := calls[which%uint(len(calls))]
		if n := uint(len(call.Body)); n > 0 {
			at %= n
			end := min(at+cut%16, n)
			call.Body = append(append(append([]byte(nil), call.Body[:at]...), insert...), call.Body[end:]...)
		}
		response, err := server.Do(context.Background(), call)
		if err == nil && (response.Code < 200 || response.Code > 599) {
			t.Errorf("code %d", response.Code)
		}
	})
}

// BenchmarkApply is one apply in process: a Deployment with three managers.
func BenchmarkApply(b *testing.B) {
	server := newServer(b, Options{})
	call := deploymentCall(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := server.Do(context.Background(), call); err != nil {
			b.Fatal(err)
		}
	}
}

// deploymentCall is the recorded apply to the Deployment with the most
// managers.
func deploymentCall(b *testing.B) api.Request {
	b.Helper()
	scenarios, err := parity.ReadFile(filepath.Join("..", "..", "testdata", "corpus", "public-handwritten.jsonl.gz"))
	if err != nil {
		b.Fatal(err)
	}
	for _, scenario := range scenarios {
		for _, step := range scenario.Steps {
			call, err := parity.Request(step)
			if err == nil && call.Verb == api.Apply && call.Kind.Kind == "Deployment" && managers(call.Live) == 3 &&
				step.Status == 200 {
				return call
			}
		}
	}
	b.Fatal("no such recording")
	return api.Request{}
}

func managers(live []byte) int {
	var found faithful.Times
	if live == nil || json.Unmarshal(live, &found) != nil {
		return 0
	}
	return len(found.Metadata.ManagedFields)
}
