package redact

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func decoded(t *testing.T, text string) map[string]any {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return object
}

func asText(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestSealer: digests stand where values stood, equal ones for equal values of one key,
// and a person who saw the values finds them again.
func TestSealer(t *testing.T) {
	const secret = `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"db","annotations":{"team":"shop","` + lastApplied + `":"{\"kind\":\"Secret\",\"stringData\":{\"a\":\"hunter22\"}}"}},"data":{"a":"aHVudGVyMjI=","b":"b3RoZXI="},"stringData":{"c":"hunter22"}}`
	object := decoded(t, secret)
	sealed := NewSealer([]byte("key")).Object(object)
	if diff := cmp.Diff(decoded(t, secret), object); diff != "" {
		t.Errorf("the given object was changed (-want +got):\n%s", diff)
	}
	text := asText(t, sealed)
	for _, value := range []string{"hunter22", "aHVudGVyMjI", "other", "b3RoZXI"} {
		if strings.Contains(text, value) {
			t.Errorf("%s is left in %s", value, text)
		}
	}
	data := sealed["data"].(map[string]any)
	word, ok := digestIn(data["a"].(string))
	if !ok || word != sealed["stringData"].(map[string]any)["c"] {
		t.Errorf("data has %s, stringData %v of one value", word, sealed["stringData"])
	}
	if data["a"] == data["b"] || !regexp.MustCompile(`^digest\.[0-9a-f]{8}\.[0-9a-f]{40}$`).MatchString(word) {
		t.Errorf("digests are %v", data)
	}
	if again := NewSealer([]byte("key")).Object(decoded(t, secret)); asText(t, again) != text {
		t.Errorf("the same key seals as %s and as %s", text, asText(t, again))
	}
	if other := NewSealer([]byte("another")); asText(t, other.Object(object)) == text ||
		other.Name() == NewSealer([]byte("key")).Name() {
		t.Error("another key seals alike")
	}
}

// TestReveal: a digest of a value that was shown is that value; what is left is counted, or
// is assumed to be what is wanted at its place where another key made it.
func TestReveal(t *testing.T) {
	secret := func(data string) string { return `{"kind":"Secret","data":{` + data + `}}` }
	seal := func(key, object string) string { return asText(t, NewSealer([]byte(key)).Object(decoded(t, object))) }
	sealed := seal("key", secret(`"a":"aHVudGVyMjI="`))
	wanting := `{"kind":"Secret","stringData":{"a":"new"}}`
	for _, test := range []struct {
		name, key, known, object, wanted string
		want                             string
		left                             Digests
	}{
		{"known", "key", secret(`"a":"aHVudGVyMjI="`), sealed, "", secret(`"a":"aHVudGVyMjI="`), Digests{}},
		{"known as text", "key", secret(`"a":"aHVudGVyMjI="`), seal("key", `{"kind":"Secret","stringData":{"a":"hunter22"}}`), "", `{"kind":"Secret","stringData":{"a":"hunter22"}}`, Digests{}},
		{"never shown", "key", secret(`"a":"b3RoZXI="`), sealed, wanting, sealed, Digests{Known: 1}},
		{"of another key, and wanted", "another", secret(``), sealed, wanting, secret(`"a":"bmV3"`), Digests{Assumed: [][]any{{"data", "a"}}}},
		{"of another key, and not wanted", "another", secret(``), sealed, `{"kind":"Secret","data":{"b":"bmV3"}}`, sealed, Digests{Strange: 1}},
		{"without a key, and wanted as data", "", "", sealed, secret(`"a":"bmV3"`), secret(`"a":"bmV3"`), Digests{Assumed: [][]any{{"data", "a"}}}},
		{"without a key, and a digest is wanted", "", "", sealed, sealed, sealed, Digests{Strange: 1}},
		{"nothing sealed", "key", secret(``), secret(`"a":"aHVudGVyMjI="`), wanting, secret(`"a":"aHVudGVyMjI="`), Digests{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s *Sealer
			if test.key != "" {
				s = NewSealer([]byte(test.key))
				s.Know(decoded(t, test.known))
			}
			var wanted map[string]any
			if test.wanted != "" {
				wanted = decoded(t, test.wanted)
			}
			got, left := s.Reveal(decoded(t, test.object), wanted)
			if diff := cmp.Diff(decoded(t, test.want), got); diff != "" {
				t.Errorf("revealed (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.left, left); diff != "" ||
				left.Left() != (test.left.Known+test.left.Strange+len(test.left.Assumed) > 0) {
				t.Errorf("left (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRevealCopies: a digest in a copy of the object in an annotation is revealed in the
// text, and one of another key makes the whole text what is wanted.
func TestRevealCopies(t *testing.T) {
	annotated := func(text string) map[string]any {
		return map[string]any{
			"kind":     "Secret",
			"metadata": map[string]any{"annotations": map[string]any{lastApplied: text}},
			"data":     map[string]any{"a": "aHVudGVyMjI="},
		}
	}
	object := annotated(`{"data":{"a":"aHVudGVyMjI="},"kind":"Secret"}` + "\n")
	sealed := NewSealer([]byte("key")).Object(object)
	knows := NewSealer([]byte("key"))
	knows.Know(object)
	got, left := knows.Reveal(sealed, nil)
	if diff := cmp.Diff(object, got); diff != "" || left.Left() {
		t.Errorf("%+v (-want +got):\n%s", left, diff)
	}
	wanted := annotated("as applied")
	got, left = NewSealer([]byte("another")).Reveal(sealed, wanted)
	if diff := cmp.Diff(wanted, got); diff != "" || len(left.Assumed) != 2 || left.Strange != 0 {
		t.Errorf("%+v (-want +got):\n%s", left, diff)
	}
}

// TestMentionsDigest: no object with a digest is passed over.
func TestMentionsDigest(t *testing.T) {
	sealed := NewSealer([]byte("key")).Object(decoded(t, `{"kind":"Secret","data":{"a":"aHVudGVyMjI="}}`))
	for text, want := range map[string]bool{asText(t, sealed): true, `{"kind":"Secret","stringData":{"a":"digest.0."}}`: true, `{"kind":"Secret","data":{"a":"aHVudGVyMjI="}}`: false} {
		if got := MentionsDigest([]byte(text)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
