package yamlout

import (
	"math/rand/v2"
	"strings"
	"testing"

	yamlv2 "go.yaml.in/yaml/v2"
)

// orderLetters are what keys are put together from: digits, letters, others, and digits
// and letters of other scripts.
var orderLetters = []rune("0123019ab_:.-é٣Ω")

// TestComesBefore: of two keys the one comes first that the encoder writes first.
func TestComesBefore(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	key := func() string {
		var b strings.Builder
		for range 1 + rng.IntN(6) {
			b.WriteRune(orderLetters[rng.IntN(len(orderLetters))])
		}
		if rng.IntN(9) == 0 {
			b.WriteString(strings.Repeat("9", 15+rng.IntN(10)))
		}
		return b.String()
	}
	for range 20000 {
		a, b := key(), key()
		if a == b {
			continue
		}
		text, err := yamlv2.Marshal(map[string]string{a: "first", b: "second"})
		if err != nil {
			t.Fatal(err)
		}
		if first := strings.Index(string(text), "first") < strings.Index(string(text), "second"); first != comesBefore(a, b) {
			t.Errorf("%q before %q: %v, but the encoder writes\n%s", a, b, comesBefore(a, b), text)
		}
	}
}
