package atomic

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestLockIsOfOneAtATime(t *testing.T) {
	name := filepath.Join(t.TempDir(), journalName)
	first, err := OS{}.Lock(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (OS{}).Lock(name); !errors.Is(err, ErrLocked) {
		t.Errorf("a second lock: %v, want ErrLocked", err)
	}
	if err := first.Write([]byte("long text")); err != nil {
		t.Fatal(err)
	}
	if err := first.Write([]byte("text")); err != nil {
		t.Fatal(err)
	}
	if content, err := first.Read(); err != nil || string(content) != "text" {
		t.Errorf("content %q, %v", content, err)
	}
	if err := first.Remove(); err != nil {
		t.Fatal(err)
	}
	second, err := OS{}.Lock(name)
	if err != nil {
		t.Fatal(err)
	}
	second.Release()
	if third, err := (OS{}).Lock(name); err != nil {
		t.Errorf("after a release: %v", err)
	} else if err := third.Remove(); err != nil {
		t.Error(err)
	}
}

// TestLockFollowsNoLink: whoever can put a link into a folder could have any
// file written.
func TestLockFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, journalName)
	if err := os.Symlink(victim, name); err != nil {
		t.Skip(err)
	}
	if _, err := (OS{}).Lock(name); !errors.Is(err, ErrNotRegular) {
		t.Errorf("error %v, want ErrNotRegular", err)
	}
}

// TestBeginWaits: a transaction begins when the one before it is closed, and
// not before.
func TestBeginWaits(t *testing.T) {
	target := Target{Name: "a", Path: filepath.Join(t.TempDir(), "a")}
	first, err := Begin(t.Context(), OS{}, []Target{target})
	if err != nil {
		t.Fatal(err)
	}
	tries := make(chan struct{})
	began := make(chan error)
	closed := false
	go func() {
		second, err := Begin(t.Context(), &counting{tries: tries}, []Target{target})
		if err == nil {
			if !closed {
				err = errors.New("two transactions have the lock")
			}
			second.Close()
		}
		began <- err
	}()
	<-tries
	<-tries
	closed = true
	first.Close()
	for {
		select {
		case <-tries:
			continue
		case err := <-began:
			if err != nil {
				t.Error(err)
			}
		}
		return
	}
}

// counting tells each try to lock a folder before it is made.
type counting struct {
	OS
	tries chan struct{}
}

func (c *counting) Lock(name string) (Lock, error) {
	c.tries <- struct{}{}
	return c.OS.Lock(name)
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
		t.Skip(err)
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
