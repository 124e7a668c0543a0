package engine_test

import (
	"path/filepath"
	"testing"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
)

// BenchmarkExplain is the engine's own share of a simulation: the server's
// answers are recorded.
func BenchmarkExplain(b *testing.B) {
	packs, err := filepath.Glob("../../testdata/corpus/public-handwritten.jsonl.gz")
	if err != nil || len(packs) != 1 {
		b.Fatalf("recorded pack: %v, %v", packs, err)
	}
	var steps []step
	for _, sc := range scenarios(b, packs[0]) {
		for _, s := range sc.Steps {
			steps = append(steps, step{s})
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s := steps[i%len(steps)]
		r := engine.Simulate(b.Context(), recorded{s}, s.write())
		if r.Outcome == report.Failed {
			b.Fatal(r.Error)
		}
	}
}
