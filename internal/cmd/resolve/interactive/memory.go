package interactive

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ssactl/ssactl/internal/files/atomic"
)

// Memory keeps decisions between sessions, in a file of the user's state directory.
// It has IDs of questions and choices: no names, no values. The zero Memory keeps
// nothing.
type Memory struct{ file string }

// NewMemory is that of sessions about the same things, such as manifests and a field
// manager. State is the state directory; empty for none.
func NewMemory(state string, about ...string) Memory {
	if state == "" {
		return Memory{}
	}
	sum := sha256.Sum256([]byte(strings.Join(about, "\x00")))
	return Memory{filepath.Join(state, "ssactl", "resolve", hex.EncodeToString(sum[:])+".json")}
}

// Keeps reports whether there is a place for decisions.
func (m Memory) Keeps() bool { return m.file != "" }

// kept is the file.
type kept struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Decisions  Decisions `json:"decisions"`
}

// maxMemory bounds a file that is read.
const maxMemory = 1 << 24

// Load gives what was kept; nothing where that cannot be read.
func (m Memory) Load() Decisions {
	info, err := os.Stat(m.file)
	if m.file == "" || err != nil || info.Size() > maxMemory {
		return nil
	}
	content, err := os.ReadFile(m.file)
	var k kept
	if err != nil || json.Unmarshal(content, &k) != nil {
		return nil
	}
	return k.Decisions
}

// Save keeps decisions instead of the former ones. Without any, no file is left.
func (m Memory) Save(d Decisions) error {
	if m.file == "" {
		return nil
	}
	if len(d) == 0 {
		if err := os.Remove(m.file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	content, err := json.MarshalIndent(kept{"ssactl.dev/v1alpha1", "ResolveSession", d}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(m.file), 0o700); err != nil {
		return err
	}
	file, err := atomic.CreatePrivate(m.file)
	if err != nil {
		return err
	}
	defer file.Discard()
	if _, err := file.Write(append(content, '\n')); err != nil {
		return err
	}
	return file.Commit()
}

// Lasting are the decisions that an edit does not carry out: without an edit, the
// question stays.
func (d Decisions) Lasting() Decisions {
	out := Decisions{}
	for id, choice := range d {
		if choice == Force || choice == Keep {
			out[id] = choice
		}
	}
	return out
}
