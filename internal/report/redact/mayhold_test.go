package redact

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

func TestMayHold(t *testing.T) {
	for text, want := range map[string]bool{
		`{"kind":"Secret"}`: true, `{"kind" : "secrets"}`: true, `{"items":[{"kind":"Secret\n"}]}`: true, `{"a":"\u0053ecret"}`: true, `{"a":"b\nkind: Secret\n"}`: true,
		`{"a":"{\"kind\":\"Secret\"}"}`: true, `{"a":"a Secret, in this namespace"}`: false, `{"enum":["Secret"]}`: false, `{"type":"Secret"}`: false,
		`{"Secret":{"kind":"Pod"}}`: false, `{"a":"<a> Secret \u003c\""}`: false, `{}`: false, ``: false,
	} {
		if got := MayHold([]byte(text)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestMayHoldAll: no tree with a Secret is passed over.
func TestMayHoldAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 21))
	held, passed := 0, 0
	for range 20_000 {
		tree := randomTree(rng, 3)
		text, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		switch may := MayHold(text); {
		case Holds(tree) && !may:
			t.Fatalf("%s is passed over", text)
		case may:
			held++
		default:
			passed++
		}
	}
	if held < 1_000 || passed < 1_000 {
		t.Errorf("%d may hold a Secret, %d do not", held, passed)
	}
}

func randomTree(rng *rand.Rand, depth int) map[string]any {
	out := map[string]any{}
	for range rng.IntN(5) {
		key := []string{"kind", "kind", "data", "apiVersion", "a\"b", "Secret", "metadata"}[rng.IntN(7)]
		switch value := []string{"Secret", "secret ", "SECRETLIST", "Pod", "v1", "a Secret", "\\\"", "kind: Secret\ndata: {}", `{"kind":"Secret","data":{}}`, "data:\nkind:\n  Secret"}[rng.IntN(10)]; {
		case depth > 0 && rng.IntN(3) == 0:
			out[key] = randomTree(rng, depth-1)
		case depth > 0 && rng.IntN(4) == 0:
			out[key] = []any{value, randomTree(rng, depth-1)}
		default:
			out[key] = value
		}
	}
	return out
}
