package packed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStore(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	if p := (JSON{}); !p.Empty() || p.Text() != nil {
		t.Errorf("the zero value holds %q", p.Text())
	}
	var s Store
	for _, place := range []Place{Anywhere, InMemory} {
		for text, want := range map[string]string{
			"":                        "",
			`{"a": [1, 2],  "b":{} }`: `{"a":[1,2],"b":{}}`,
			`{"n":1.50, "a":"<&>"}`:   `{"n":1.50,"a":"<&>"}`,
			"no JSON: at all":         "no JSON: at all",
		} {
			p := s.Put([]byte(text), place)
			if diff := cmp.Diff(want, string(p.Text())); diff != "" || p.Empty() {
				t.Errorf("%q: (-want +got)\n%s", text, diff)
			}
		}
	}
}

// The file has no name, and no Secret is in it.
func TestStoreLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var s Store
	s.Put([]byte(`{"a":1}`), Anywhere)
	size := s.size
	if p := s.Put([]byte(`{"secret":1}`), InMemory); p.file != nil || s.size != size {
		t.Error("a text that was to stay in memory is in the file")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 0 {
		t.Errorf("left %v, %v", entries, err)
	}
}

// Without a place for a file, texts are held in memory.
func TestStoreWithoutFile(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	var s Store
	p := s.Put([]byte(`{"a": 1}`), Anywhere)
	if p.file != nil || string(p.Text()) != `{"a":1}` {
		t.Errorf("holds %q", p.Text())
	}
}

// What cannot be read back says so, and is no JSON.
func TestTextOfClosedFile(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var s Store
	p := s.Put([]byte(`{"a":1}`), Anywhere)
	if err := s.file.Close(); err != nil {
		t.Fatal(err)
	}
	if text := p.Text(); json.Valid(text) || !strings.HasPrefix(string(text), "a text cannot be read back: ") {
		t.Errorf("got %q", text)
	}
}

func TestTextsAtOnce(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var s Store
	var held []JSON
	for i := range 100 {
		held = append(held, s.Put(fmt.Appendf(nil, `{"a":%d}`, i), Place(i%2)))
	}
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for i, p := range held {
				if got, want := string(p.Text()), fmt.Sprintf(`{"a":%d}`, i); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
		})
	}
	readers.Wait()
}

// Dumps are mostly indentation and the names of fields.
func TestPackIsSmall(t *testing.T) {
	text := []byte("{" + strings.Repeat(line, 100) + "\n\"a\":1}")
	if n := len(pack(text)); n > len(text)/10 {
		t.Errorf("%d bytes of %d", n, len(text))
	}
}

const line = "\n        \"f:containers\": {\"k:{\\\"name\\\":\\\"main\\\"}\": {\".\": {}}},"

// What was packed means the same.
func FuzzPack(f *testing.F) {
	for _, s := range []string{"", "{}", ` {"a" : [1, "\u2028 <"] } `, "x", "{\"a\":\xff}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := unpack(pack(text))
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(text) {
			if !bytes.Equal(text, got) {
				t.Errorf("%q became %q", text, got)
			}
			return
		}
		var before, after bytes.Buffer
		if err := json.Compact(&before, text); err != nil {
			t.Fatal(err)
		}
		if err := json.Compact(&after, got); err != nil || !bytes.Equal(before.Bytes(), after.Bytes()) {
			t.Errorf("%q became %q, %v", text, got, err)
		}
	})
}

func BenchmarkPack(b *testing.B) {
	text := []byte("{" + strings.Repeat(line, 100) + "\n\"a\":1}")
	b.Run("pack", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for range b.N {
			pack(text)
		}
	})
	p := JSON{bytes: pack(text)}
	b.Run("text", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for range b.N {
			p.Text()
		}
	})
}
