package objects

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// TestMarshal: a tree is written as the library writes it, whatever is in it.
func TestMarshal(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 1))
	direct := 0
	for range 20_000 {
		v := anyTree(rng, 4)
		if _, ok := readBack(v); ok {
			direct++
		}
		got, gotErr := marshal(v)
		want, wantErr := yaml.Marshal(v)
		if diff := cmp.Diff(fmt.Sprint(string(want), wantErr), fmt.Sprint(string(got), gotErr)); diff != "" {
			text, _ := json.Marshal(v)
			t.Fatalf("%s: (-want +got)\n%s", text, diff)
		}
	}
	if direct < 10_000 {
		t.Errorf("only %d were written without the detour", direct)
	}
}

var (
	pieces = []string{"", "a", "spec", "b c", "5", "0x1f", "1e3", "yes", "~", "<<", "=", "2026-11-21", "12:30", "- ", "? ", ": ", "#", "'", `"`, `\`,
		"\n", "\t", " ", "\x01", "\x7f", "\u0085", "\u00a0", "\u2028", "\ufeff", "\ufffd", "é", "世", "😀", "\xff", "<&>", "%", "@", "{", "[", strings.Repeat("long ", 40)}
	numbers = []float64{0, math.Copysign(0, -1), 1.5, -2, 1e6, 123456789, 1e15, 1 << 53, 1e20, 1e21, 1e22, -1e22, 1e-7, 5e-324, 0.1, math.MaxFloat64}
)

func anyTree(rng *rand.Rand, depth int) any {
	n := rng.IntN(9)
	if depth == 0 {
		n = rng.IntN(6)
	}
	switch n {
	case 0:
		return numbers[rng.IntN(len(numbers))]
	case 1:
		return []any{nil, true, false, int64(7), int64(math.MinInt64), int64(math.MaxInt64)}[rng.IntN(6)]
	case 6:
		items := make([]any, rng.IntN(4))
		for i := range items {
			items[i] = anyTree(rng, depth-1)
		}
		return items
	case 7, 8:
		fields := map[string]any{}
		for range rng.IntN(5) {
			fields[anyText(rng)] = anyTree(rng, depth-1)
		}
		return fields
	}
	return anyText(rng)
}

func anyText(rng *rand.Rand) string {
	var b strings.Builder
	for range rng.IntN(4) {
		b.WriteString(pieces[rng.IntN(len(pieces))])
	}
	if rng.IntN(4000) == 0 {
		b.WriteString(strings.Repeat("k", 1100))
	}
	return b.String()
}
