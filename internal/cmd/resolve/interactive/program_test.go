package interactive

import (
	"context"
	"io"
	"os"
	"testing"
)

// TestRunWithoutTerminal: where the terminal has gone, a session ends with an error
// instead of waiting for a key.
func TestRunWithoutTerminal(t *testing.T) {
	in, keys, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := keys.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w, err := Run(ctx, Terminal{In: in, Out: io.Discard}, NewWalk(questions(), nil, preview))
	if err == nil || err.Error() != "the terminal was closed" || w.ended() {
		t.Errorf("ended: %v, error: %v", w.ended(), err)
	}
}
