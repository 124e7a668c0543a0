package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/serve/wire"
)

// TestFind: the program of the server is found in PATH, and its absence says how to get it.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if path, err := find(); err == nil || !strings.Contains(err.Error(), "go install") {
		t.Errorf("without a program: %q, %v", path, err)
	}
	program := filepath.Join(dir, wire.Program)
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if path, err := find(); err != nil || path != program {
		t.Errorf("in PATH: %q, %v", path, err)
	}
}
