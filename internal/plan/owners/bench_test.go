package owners

import (
	"testing"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// BenchmarkNew attributes an object of two thousand items with an owner each,
// and one of as many that no claim means exactly.
func BenchmarkNew(b *testing.B) {
	for _, claim := range []string{`{\"id\":%d}`, `{\"id\":%d,\"kind\":1}`} {
		live := manyItems(b, 2000, claim)
		b.Run(claim, func(b *testing.B) {
			for b.Loop() {
				New(Target{}, Source{}, live, managedfields.Shape{})
			}
		})
	}
}
