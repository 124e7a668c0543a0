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
		for _, text := range []string{"", `{"a": [1, 2],  "b":{} }`, "no JSON: at all"} {
			p := s.Put([]byte(text), place)
			if diff := cmp.Diff(text, string(p.Text())); diff != "" || p.Empty() {
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
	if p.file != nil || string(p.Text()) != `{"a": 1}` {
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
func TestPutIsSmall(t *testing.T) {
	text := []byte("{" + strings.Repeat(line, 100) + "\n\"a\":1}")
	var s Store
	if p := s.Put(text, InMemory); len(p.bytes) > len(text)/10 || cap(p.bytes) > len(text)/8 {
		t.Errorf("%d bytes of %d, within %d", len(p.bytes), len(text), cap(p.bytes))
	}
}

const line = "\n        \"f:containers\": {\"k:{\\\"name\\\":\\\"main\\\"}\": {\".\": {}}},"

// Each text comes back as it was, whatever was held before and after it.
func FuzzStore(f *testing.F) {
	for _, s := range []string{"", "{}", ` {"a" : [1, "\u2028 <"] } `, "x", "{\"a\":\xff}", strings.Repeat(line, 9)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var s Store
		defer func() { _ = s.file.Close() }()
		var held []JSON
		texts := [][]byte{text, text[:len(text)/2], append(bytes.Clone(text), text...)}
		for i, text := range texts {
			held = append(held, s.Put(text, Place(i%2)))
		}
		for i, p := range held {
			if got := p.Text(); !bytes.Equal(got, texts[i]) {
				t.Errorf("%q became %q", texts[i], got)
			}
		}
	})
}
