package owners

import (
	"testing"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// BenchmarkNew attributes an object of two thousand items with an owner each,
// and one of as many that no claim means exactly.
func BenchmarkNew(b *testing.B) {
	for _, claim := range []string{`{\"id\":%d}`, `{\"id\":%d,\"kind\":1}`} {
		live := manyItems(b, 2000, claim)
		b.Run(claim, func(b *testing.B) {
			for b.Loop() {
				New(report.Target{}, report.Source{}, live, managedfields.Shape{})
			}
		})
	}
}
