package interactive

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/run/settings"
)

// TestMemory: what was saved is there for the next session about the same, and for
// nobody else. Without decisions no file is left.
func TestMemory(t *testing.T) {
	state := t.TempDir()
	m := NewMemory(state, "helm", "/web.yaml")
	want := Decisions{"a": Force}
	if err := m.Save(want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, NewMemory(state, "helm", "/web.yaml").Load()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := NewMemory(state, "helm", "/other.yaml").Load(); got != nil {
		t.Errorf("others get %v", got)
	}
	info, err := os.Stat(m.file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	for range 2 {
		if err := m.Save(Decisions{}); err != nil {
			t.Error(err)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(filepath.Dir(m.file), "*")); files != nil {
		t.Errorf("left: %v", files)
	}
}

// TestBrokenMemory: a file that is not ours is no memory, and neither is none.
func TestBrokenMemory(t *testing.T) {
	m := NewMemory(t.TempDir(), "a")
	if err := os.MkdirAll(filepath.Dir(m.file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.file, []byte("{\"decisions\": 3"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := m.Load(); got != nil {
		t.Errorf("got %v", got)
	}
	nowhere := NewMemory("", "a")
	if err := nowhere.Save(Decisions{"a": Keep}); err != nil || nowhere.Load() != nil {
		t.Errorf("%v, %v", err, nowhere.Load())
	}
}

// TestStateDir: where the state of a user is.
func TestStateDir(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"XDG_STATE_HOME": "/s", "HOME": "/h"}, "/s"},
		{map[string]string{"XDG_STATE_HOME": "relative", "HOME": "/h"}, "/h/.local/state"},
		{nil, ""},
	} {
		if got := settings.StateDir(func(name string) string { return c.env[name] }); got != filepath.FromSlash(c.want) {
			t.Errorf("%v: %q, want %q", c.env, got, c.want)
		}
	}
}

// TestLasting: of what was written, only the decisions are kept that no edit carries out.
func TestLasting(t *testing.T) {
	got := Decisions{"a": Force, "b": Keep, "c": StopManaging, "d": UseLiveValue}.Lasting()
	if diff := cmp.Diff(Decisions{"a": Force, "b": Keep}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if NewMemory("", "a").Keeps() || !NewMemory(t.TempDir(), "a").Keeps() {
		t.Error("a memory keeps decisions without a place")
	}
}

// TestMemoryIsBounded: a file that is too large is no memory.
func TestMemoryIsBounded(t *testing.T) {
	m := NewMemory(t.TempDir(), "a")
	if err := m.Save(Decisions{"a": Keep}); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(m.file, maxMemory+1); err != nil {
		t.Fatal(err)
	}
	if got := m.Load(); got != nil {
		t.Errorf("got %v", got)
	}
}
