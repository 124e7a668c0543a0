package objects

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/textdiff"
	"github.com/ssactl/ssactl/test/trees"
)

// TestDiffLaws: a diff applied to the YAML of one object gives that of the other.
func TestDiffLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 2))
	for range 1_000 {
		live, _ := mapStrings(anyObject(rng), valid, valid).(map[string]any)
		merged := changed(rng, live)
		for _, objects := range [][2]map[string]any{{live, merged}, {merged, live}, {nil, live}, {merged, {}}, {nil, nil}} {
			checkDiff(t, objects[0], objects[1])
		}
	}
}

func checkDiff(t *testing.T, live, merged map[string]any) {
	t.Helper()
	r := report.Result{Outcome: report.Configured, Live: live, Object: merged}
	texts, err := TextsOf(r, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := DiffOf(r, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := textdiff.Apply(texts.Live, d.Hunks)
	if diff := cmp.Diff(texts.Merged, got); diff != "" || err != nil {
		t.Fatalf("the hunks give something else: %v (-want +got)\n%s", err, diff)
	}
	if len(d.Inside()) != len(d.Hunks) {
		text, _ := json.Marshal([]any{live, merged})
		t.Fatalf("%d places of %d hunks: %s", len(d.Inside()), len(d.Hunks), text)
	}
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
				v = []any{
					"before",
					trees.Any(rng, 1),
					[]any{"in a list", nil, []any{}},
					v,
					map[string]any{"k1": []any{"x"}, "k2": "y"},
					"next",
				}
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
var names = []string{
	"spec", "k1", "k12", "k2", "k-1", "k-a", "kA", "KA", "k.a/b", "$ref", "_",
	"a-long-name-of-a-field", "x-kubernetes", "x", "é", "1.5", "::error",
}

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
