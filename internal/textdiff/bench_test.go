package textdiff

import (
	"math/rand/v2"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/test/crds"
)

// BenchmarkLines compares definitions of a megabyte: one with another one, and
// one with its next release, in which a tenth of the lines are others.
func BenchmarkLines(b *testing.B) {
	definition := func(seed uint64) string {
		text, err := yaml.Marshal(crds.Make(seed, 1, 1<<20))
		if err != nil {
			b.Fatal(err)
		}
		return string(text)
	}
	old := definition(1)
	for _, to := range []struct{ name, text string }{{"another", definition(2)}, {"next", reworded(old)}} {
		b.Run(to.name, func(b *testing.B) {
			for b.Loop() {
				Lines(old, to.text, 3)
			}
		})
	}
}

// reworded changes, removes or adds a tenth of the lines.
func reworded(text string) string {
	random := rand.New(rand.NewPCG(1, 1))
	var out strings.Builder
	for line := range strings.Lines(text) {
		switch random.IntN(30) {
		case 0:
			out.WriteString("changed " + line)
		case 1:
		case 2:
			out.WriteString(line + line)
		default:
			out.WriteString(line)
		}
	}
	return out.String()
}
