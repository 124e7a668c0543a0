package cmd

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/report/redact"
)

// TestSnapshotHasNoSecret seals a value of its own in each place of live Secrets, right
// and wrong, as snapshot does before it writes them.
func TestSnapshotHasNoSecret(t *testing.T) {
	m := &marks{}
	for name, place := range m.places() {
		for _, o := range place() {
			sealed := asJSON(redact.NewSealer([]byte("a key")).Object(asRead(t, o)))
			if value, line := m.leak(sealed); line != "" {
				t.Errorf("%s: the bundle has %q in %s", name, value, line)
			}
		}
	}
}

// TestSealedIsFound: who has the key and has seen the values finds them again; who lacks
// one of both does not.
func TestSealedIsFound(t *testing.T) {
	m := &marks{}
	live := asRead(t, m.live())
	delete(live["metadata"].(object), "managedFields")
	delete(live, "stringData")
	sealed := redact.NewSealer([]byte("a key")).Object(live)
	knows := redact.NewSealer([]byte("a key"))
	knows.Object(live)
	got, left := knows.Reveal(sealed, nil)
	if diff := cmp.Diff(live, got); diff != "" || left.Left() {
		t.Errorf("%+v are left, and (-want +got):\n%s", left, diff)
	}
	if _, left := redact.NewSealer([]byte("a key")).Reveal(sealed, nil); left.Known < 5 || left.Strange > 0 {
		t.Errorf("who has seen nothing leaves %+v", left)
	}
	for _, other := range []*redact.Sealer{nil, redact.NewSealer([]byte("another"))} {
		if got, left := other.Reveal(sealed, nil); left.Strange < 5 || left.Known > 0 || !cmp.Equal(got, sealed) {
			t.Errorf("another key leaves %+v", left)
		}
	}
}

// TestDigestsAreEqual: equal values have equal digests, wherever and in whichever Secret
// they stand; different values and keys have others.
func TestDigestsAreEqual(t *testing.T) {
	digest := func(key, value string) string {
		sealed := redact.NewSealer([]byte(key)).Object(object{"apiVersion": "v1", "kind": "Secret", "token": value})["token"].(string)
		if !strings.HasPrefix(sealed, "digest.") {
			t.Errorf("%s is no digest", sealed)
		}
		return sealed
	}
	if a := digest("k", "value"); a != digest("k", "value") || a == digest("k", "other") || a == digest("l", "value") {
		t.Errorf("%s does not tell values and keys apart", a)
	}
}

func asRead(t *testing.T, o object) map[string]any {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsontree.Decode(bytes.TrimSpace(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestStrangeDigests: what cannot be compared is taken for what is wanted, and named;
// what differs for certain is not.
func TestStrangeDigests(t *testing.T) {
	secret := func(data, annotation string) map[string]any {
		return asRead(
			t,
			object{
				"apiVersion": "v1",
				"kind":       "Secret",
				"metadata":   object{"labels": object{"a": annotation}, "annotations": object{"a": annotation}},
				"data":       object{"k": data, "other": data},
			},
		)
	}
	sealed := redact.NewSealer([]byte("a key")).Object(secret("b2xkIHZhbHVl", "has old value"))
	manifest := asRead(
		t,
		object{
			"apiVersion": "v1",
			"kind":       "Secret",
			"metadata":   object{"annotations": object{"a": "new"}},
			"stringData": object{"k": "new value"},
		},
	)
	for name, s := range map[string]*redact.Sealer{"no key": nil, "another key": redact.NewSealer([]byte("another"))} {
		got, left := s.Reveal(sealed, manifest)
		want := asRead(t, object{"k": "bmV3IHZhbHVl", "other": sealed["data"].(object)["other"]})
		if diff := cmp.Diff(want, got["data"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(redact.Digests{Strange: 1, Assumed: [][]any{{"data", "k"}, {"metadata", "annotations", "a"}}}, left); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	// With the key another value is known to be one, as it is beside a digest of its key.
	if _, left := redact.NewSealer([]byte("a key")).Reveal(sealed, manifest); left.Assumed != nil || left.Known != 3 {
		t.Errorf("with the key %+v", left)
	}
	other := redact.NewSealer([]byte("a key")).Object(secret("bmV3IHZhbHVl", "has new value"))
	if _, left := (*redact.Sealer)(nil).Reveal(sealed, other); left.Assumed != nil || left.Strange != 3 {
		t.Errorf("of one key %+v", left)
	}
	strange := redact.NewSealer([]byte("another")).Object(secret("bmV3IHZhbHVl", "has new value"))
	if _, left := (*redact.Sealer)(nil).Reveal(sealed, strange); len(left.Assumed) != 3 {
		t.Errorf("of two keys %+v", left)
	}
}
