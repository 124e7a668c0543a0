package cluster

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/bounded"
	"github.com/ssactl/ssactl/internal/run/settings"
)

// keyBytes is how many random bytes a new key has; leastKey how long the text of one has
// to be.
const (
	keyBytes = 32
	leastKey = 32
)

// sealerOf gives what seals with the key of a file, or of the user's own where no file is
// named; nil where the user has none yet.
func sealerOf(a *app.App, file string) (*redact.Sealer, error) {
	name, err := file, error(nil)
	if name == "" {
		if name, err = ownKey(a); err != nil {
			return nil, err
		}
	}
	text, err := bounded.File(name, manifest.DefaultMaxDocumentBytes)
	if file == "" && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the key of the snapshot: %w", err)
	}
	if text = bytes.TrimSpace(text); len(text) < leastKey {
		return nil, fmt.Errorf("the key of the snapshot in %s has %d characters, and less than %d can be guessed: make one with 'head -c 32 /dev/urandom | base64'", name, len(text), leastKey)
	}
	if isWeak(text) {
		return nil, fmt.Errorf("the key of the snapshot in %s repeats itself, and can be guessed: make one with 'head -c 32 /dev/urandom | base64'", name)
	}
	return redact.NewSealer(text), nil
}

// leastDifferent is how many different bytes a key has at least. Of 32 random digits,
// the poorest that are made, fewer differ once in a million times.
const leastDifferent = 6

// isWeak reports whether a key is one part again and again, or has hardly any variety.
func isWeak(key []byte) bool {
	different := map[byte]bool{}
	for _, b := range key {
		different[b] = true
	}
	// What is in its double, the ends aside, is a repetition.
	double := append(bytes.Clone(key), key...)
	return len(different) < leastDifferent || bytes.Contains(double[1:len(double)-1], key)
}

// NewSealer is sealerOf with a new key for a user who has none.
func NewSealer(a *app.App, file string) (*redact.Sealer, error) {
	sealer, err := sealerOf(a, file)
	if sealer != nil || err != nil {
		return sealer, err
	}
	if err := makeKey(a); err != nil {
		return nil, fmt.Errorf("write a key for digests of Secrets: %w", err)
	}
	return sealerOf(a, file)
}

// makeKey writes a random key that nobody else may read. One that somebody writes at the
// same time counts.
func makeKey(a *app.App) error {
	name, err := ownKey(a)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	key := make([]byte, keyBytes)
	// It never fails.
	_, _ = rand.Read(key)
	staged, err := os.CreateTemp(filepath.Dir(name), "key-")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(staged.Name()) }()
	_, err = staged.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	if err = errors.Join(err, staged.Close()); err != nil {
		return err
	}
	if err := os.Link(staged.Name(), name); err != nil && !errors.Is(err, fs.ErrExist) {
		return os.Rename(staged.Name(), name)
	}
	return nil
}

// ownKey is the file of the user's key.
func ownKey(a *app.App) (string, error) {
	state := settings.StateDir(a.Streams.Getenv)
	if state == "" {
		return "", errors.New("where the key of snapshots is cannot be told, as HOME is not set: name it with --snapshot-key")
	}
	return filepath.Join(state, "ssactl", "snapshot.key"), nil
}
