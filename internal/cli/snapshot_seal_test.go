package cli

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
	got, left := knows.Reveal(sealed)
	if diff := cmp.Diff(live, got); diff != "" || left != (redact.Digests{}) {
		t.Errorf("%+v are left, and (-want +got):\n%s", left, diff)
	}
	if _, left := redact.NewSealer([]byte("a key")).Reveal(sealed); left.Known < 5 || left.Strange > 0 {
		t.Errorf("who has seen nothing leaves %+v", left)
	}
	for _, other := range []*redact.Sealer{nil, redact.NewSealer([]byte("another"))} {
		if got, left := other.Reveal(sealed); left.Strange < 5 || left.Known > 0 || !cmp.Equal(got, sealed) {
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
