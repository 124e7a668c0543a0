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

// textPieces are those of texts that may be broken; most often the last one.
var textPieces = []string{"", "\n", "\n\n", "  ", "'", `"`, `\`, "#", " #", ":", ": ", "-", "- ", "? ", "%", "é", "\t", "::", "##", "12", "~", ".", "{", "]", "*", "&", "!", "|", ">", "@", "`", ",", "=", "<<", "yes", " "}
