//go:build unix

package atomic

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestLockFollowsNoLink: otherwise a link in a folder could have any file written.
func TestLockFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, journalName)
	if err := os.Symlink(victim, name); err != nil {
		t.Fatal(err)
	}
	if _, err := (OS{}).Lock(name); !errors.Is(err, ErrNotRegular) {
		t.Errorf("error %v, want ErrNotRegular", err)
	}
}

// TestBeginHeedsLocksOfFiles: other programs lock the file itself.
func TestBeginHeedsLocksOfFiles(t *testing.T) {
	dir := t.TempDir()
	target := Target{Name: "a", Path: filepath.Join(dir, "a")}
	if err := os.WriteFile(target.Path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	held, err := OS{}.Hold(target.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = held.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Begin(ctx, OS{}, []Target{target}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of somebody who stops waiting", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
