package atomic

import (
	"errors"
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

// counting reports each attempt to lock a folder before it is made.
type counting struct {
	OS
	tries chan struct{}
}

func (c *counting) Lock(name string) (Lock, error) {
	c.tries <- struct{}{}
	return c.OS.Lock(name)
}
