package manifest

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Members are read one after the other. What follows them costs nothing of
// them, and what is cut off costs what is not there.
func TestGzip(t *testing.T) {
	a := zipped(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
	b := zipped(t, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n")
	const wantA, wantB = "1/0:1 YAML ConfigMap a", "2/0:5 YAML ConfigMap b"
	const rest = "notice standard input: what follows the compressed data is no gzip, and is not read"
	const early = "the compressed data was cut off: unexpected EOF"
	cases := []struct {
		name, text string
		want       []string
	}{
		{"members", a + b, []string{wantA, wantB}},
		{"a word behind", a + "word", []string{rest, wantA}},
		{"zeros behind", a + string(make([]byte, 512)), []string{rest, wantA}},
		{"cut in the header", a[:5], []string{"read standard input: " + early}},
		{"cut in the data", a[:len(a)-12], []string{"read standard input, document 1: line 4: " + early}},
		{"cut in the checksum", a + b[:len(b)-4], []string{wantA, "read standard input, document 2: line 8: " + early}},
		{"cut in the second", a + b[:len(b)-12], []string{wantA, "read standard input, document 2: line 8: " + early}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, told(c.text, Options{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
