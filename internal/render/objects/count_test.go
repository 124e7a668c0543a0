package objects

import (
	"math/rand/v2"
	"strings"
	"testing"

	yamlv2 "go.yaml.in/yaml/v2"

	"github.com/ssactl/ssactl/internal/textdiff"
)

// TestCountLeaf: a leaf has as many lines as the encoder writes, wherever it stands.
func TestCountLeaf(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 3))
	known := 0
	for range 20_000 {
		var b strings.Builder
		for range 1 + rng.IntN(60) {
			b.WriteString(textPieces[min(rng.IntN(3*len(textPieces)), len(textPieces)-1)])
			b.WriteString(strings.Repeat("w", rng.IntN(14)))
		}
		if rng.IntN(9) == 0 {
			b.Reset()
			b.WriteString(times[rng.IntN(len(times))])
		}
		l := leaf{item: rng.IntN(4) == 0, value: b.String()}
		if !l.item {
			l.key = names[rng.IntN(len(names))] + strings.Repeat("x", rng.IntN(9))
		}
		depth := rng.IntN(50)
		l.indent = depth * step
		got, ok := countLeaf(l)
		if !ok {
			continue
		}
		known++
		var tree any = map[string]any{l.key: wrapHidden(b.String())}
		if l.item {
			tree = map[string]any{"list": []any{wrapHidden(b.String())}}
		}
		for range depth {
			tree = map[string]any{"k": tree}
		}
		text, err := yamlv2.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		above := depth
		if l.item {
			above++
		}
		if want := len(textdiff.Cut(string(text))) - above; got != want {
			t.Fatalf("%q: %q has %d lines, and is counted as %d:\n%s", l.key, l.value, want, got, text)
		}
	}
	if known < 5_000 {
		t.Errorf("only %d are counted", known)
	}
}

// TestCounterRemembers: what cannot be counted is known at each level after one attempt, so
// that no level is counted again for each one above it.
func TestCounterRemembers(t *testing.T) {
	const depth = 50
	var v any = []any{"some", "\u200b"}
	for range depth {
		v = map[string]any{"k": v}
	}
	var c counter
	if n, known := c.below(0, v); known {
		t.Fatalf("%d lines are counted", n)
	}
	if len(c.unknown) != depth+1 {
		t.Errorf("%d of %d levels are remembered", len(c.unknown), depth+1)
	}
	if n, known := c.below(0, []any{"some", map[string]any{"k": "v", "l": "w"}}); n != 3 || !known {
		t.Errorf("another value has %d lines, %v", n, known)
	}
}

// times are texts that are times, or nearly.
var times = []string{"2026-11-21 12:30:00,5", "2026-11-21 12:30:00.5", "2026-1-2 1:3:0", "2026-11-21 12:30:00 +01:00", "2026-11-21 half past 12", "02026-11-21 12:30:00"}

// textPieces are those of texts that may be broken; most often the last one.
var textPieces = []string{"", "\n", "\n\n", "  ", "'", `"`, `\`, "#", " #", ":", ": ", "-", "- ", "? ", "%", "é", "\t", "::", "##", "12", "~", ".", "{", "]", "*", "&", "!", "|", ">", "@", "`", ",", "=", "<<", "yes", " "}
