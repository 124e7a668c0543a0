package objects

import (
	"fmt"
	"maps"
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
// whole and line by line, beside whatever else has to be read back, or written whole.
func TestOrder(t *testing.T) {
	for name, more := range map[string]map[string]any{
		"plain":           {"more": int64(1)},
		"read back":       {"more": 1e22},
		"written whole":   {"two\nlines": "x"},
		"hidden":          {"more": "\u200b"},
		"a hidden key":    {"1\u200ba": "x", "12\u200b": "x", "::": "x"},
		"read back, deep": {"more": []any{map[string]any{"2": []any{}, "10": "x", "1a": 1e22}}},
	} {
		t.Run(name, func(t *testing.T) {
			first := ""
			for range 64 {
				fields := map[string]any{}
				for _, key := range []string{"1a", "2", "10", "5", "12:3", "1e3"} {
					fields[key] = "x"
				}
				live := map[string]any{"data": fields}
				changed := maps.Clone(fields)
				maps.Copy(changed, more)
				merged := map[string]any{"data": changed, "more": more}
				text, err := YAML(merged)
				if err != nil {
					t.Fatal(err)
				}
				lines, err := yamlLines(live, merged)
				if err != nil {
					t.Fatal(err)
				}
				both := fmt.Sprint(text, lines[0].String(), lines[1].String())
				if first == "" {
					first = both
				}
				if both != first || text != lines[1].String() {
					t.Fatalf("it is written in two ways\n%s\n%s", first, both)
				}
			}
		})
	}
}
