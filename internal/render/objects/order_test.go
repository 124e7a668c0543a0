package objects

import (
	"fmt"
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

// TestOrder: keys that the encoder has no order for are written in one all the same, as a
// whole and line by line.
func TestOrder(t *testing.T) {
	first := ""
	for i := range 64 {
		fields := map[string]any{}
		for _, key := range []string{"1a", "2", "10", "5", "12:3", "1e3"} {
			fields[key] = "x"
		}
		live, merged := map[string]any{"data": fields}, map[string]any{"data": fields, "more": int64(1)}
		text, err := YAML(merged)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := yamlLines(live, merged)
		if err != nil {
			t.Fatal(err)
		}
		both := fmt.Sprint(text, lines[0].String(), lines[1].String())
		if i == 0 {
			first = both
		}
		if both != first || text != lines[1].String() {
			t.Fatalf("it is written in two ways\n%s\n%s", first, both)
		}
	}
}
