package objects

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/textdiff"
	"github.com/ssactl/ssactl/test/trees"
)

// TestLines: the lines of objects are those of their YAML, whatever is in them, and
// most objects are composed. Objects that surely say something else have other lines.
func TestLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 2))
	composed, others, skipped, inPieces := 0, 0, 0, 0
	for range 1_000 {
		live, _ := mapStrings(anyObject(rng), valid, valid).(map[string]any)
		merged := changed(rng, live)
		for _, objects := range [][2]map[string]any{{live, merged}, {merged, live}, {nil, live}, {merged, {}}, {nil, nil}} {
			got, err := yamlLines(objects[0], objects[1])
			if err != nil {
				t.Fatal(err)
			}
			for i, object := range objects {
				want := ""
				if object != nil {
					want, err = YAML(object)
				}
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(textdiff.Cut(want), []string(got[i])); diff != "" {
					text, _ := json.Marshal(object)
					t.Fatalf("%s: (-want +got)\n%s", text, diff)
				}
			}
			n, ok := checkPieces(t, objects, got)
			skipped += n
			if ok {
				inPieces++
			}
			if saysOther(objects[0], objects[1]) && slices.Equal(got[0], got[1]) {
				text, _ := json.Marshal(objects)
				t.Fatalf("they say the same: %s", text)
			}
		}
		if saysOther(live, merged) {
			others++
		}
		c := newComposer()
		for _, r := range c.sides(live, merged) {
			c.write(r)
		}
		if _, ok := c.pieces(); ok {
			composed++
		}
	}
	if composed < 350 || others < 300 || skipped < 3_000 || inPieces < 3*composed {
		t.Errorf("only %d were composed, %d of 1,000 surely say something else, %d lines were skipped, and %d of 5,000 compared in pieces", composed, others, skipped, inPieces)
	}
}

// checkPieces: the pieces of two objects are their lines, but for some that are equal, and
// a diff of pieces is one of the objects. It counts what is left out, and tells whether
// pieces were enough.
func checkPieces(t *testing.T, objects [2]map[string]any, whole [2]Lines) (skipped int, enough bool) {
	t.Helper()
	const context = 2
	pieces, ok := piecesOf(objects[0], objects[1], context)
	if !ok {
		return 0, false
	}
	old, new := whole[0], whole[1]
	for _, p := range pieces {
		n := p.Skipped
		if n > min(len(old), len(new)) || !slices.Equal(old[:n], new[:n]) ||
			!strings.HasPrefix(old[n:].String(), Lines(p.Old).String()) || !strings.HasPrefix(new[n:].String(), Lines(p.New).String()) {
			text, _ := json.Marshal(objects)
			t.Fatalf("%s\nthere are no %d equal lines, and then\n%q\n%q\nin\n%q\n%q", text, n, p.Old, p.New, old, new)
		}
		old, new, skipped = old[n+len(p.Old):], new[n+len(p.New):], skipped+n
	}
	if len(old)+len(new) > 0 {
		t.Fatalf("lines are missing: %q, %q", old, new)
	}
	hunks, ok := textdiff.InPieces(given(pieces), context)
	if ok {
		text, err := textdiff.Apply(whole[0].String(), hunks)
		if diff := cmp.Diff(whole[1].String(), text); diff != "" || err != nil {
			t.Fatalf("the hunks give something else: %v (-want +got)\n%s", err, diff)
		}
		inside := placed(hunks, []piece{{Piece: textdiff.Piece{Old: whole[0], New: whole[1]}}})
		if diff := cmp.Diff(inside, placed(hunks, pieces)); diff != "" || len(inside) != len(hunks) {
			t.Fatalf("the hunks are somewhere else (-want +got)\n%s\n%s", diff, whole[0])
		}
	}
	return skipped, ok
}

// valid is a text without what no JSON has: keys would be written alike.
func valid(s string) string { return strings.ToValidUTF8(s, "") }

// anyObject has fields at several depths, many of them long.
func anyObject(rng *rand.Rand) map[string]any {
	object := map[string]any{}
	for range 1 + rng.IntN(4) {
		v := trees.Any(rng, 4)
		for range rng.IntN(12) {
			switch rng.IntN(6) {
			case 0:
				v = []any{v, "next"}
				continue
			case 1:
				v = []any{"before", trees.Any(rng, 1), []any{"in a list", nil, []any{}}, v, map[string]any{"k1": []any{"x"}, "k2": "y"}, "next"}
				continue
			}
			v = map[string]any{names[rng.IntN(len(names))]: v, "z": strings.Repeat("words of some length ", rng.IntN(9))}
		}
		object[trees.Text(rng)] = v
		object[names[rng.IntN(len(names))]] = trees.Any(rng, 1)
	}
	return object
}

// names are keys that sort in several ways.
var names = []string{"spec", "k1", "k12", "k2", "k-1", "k-a", "kA", "KA", "k.a/b", "$ref", "_", "a-long-name-of-a-field", "x-kubernetes", "x", "é", "1.5", "::error"}

// changed is a copy of an object in which a few values are others, and that shares the
// rest.
func changed(rng *rand.Rand, object map[string]any) map[string]any {
	out := map[string]any{}
	for key, v := range object {
		if rng.IntN(40) == 0 {
			continue
		}
		out[key] = changedValue(rng, v)
	}
	if rng.IntN(20) == 0 {
		out[valid(trees.Text(rng))] = mapStrings(trees.Any(rng, 1), valid, valid)
	}
	return out
}

func changedValue(rng *rand.Rand, v any) any {
	switch v := v.(type) {
	case map[string]any:
		if rng.IntN(3) > 0 {
			return changed(rng, v)
		}
	case []any:
		if rng.IntN(3) > 0 {
			items := make([]any, len(v))
			for i, item := range v {
				items[i] = changedValue(rng, item)
			}
			return items
		}
	default:
		if rng.IntN(20) == 0 {
			return mapStrings(trees.Any(rng, 2), valid, valid)
		}
	}
	return v
}
