// Package folder writes a folder of generated files, all of them or none. It
// replaces a folder only when everything in it was generated too.
package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/ssactl/ssactl/internal/files/atomic"
)

// File is one file to write.
type File struct {
	// Name is relative to the folder, with slashes; it stays inside.
	Name string
	Text []byte
	// Mode is the permissions.
	Mode fs.FileMode
}

// Existing says what to do about a folder that is there and has files.
type Existing int

// The ways to treat it.
const (
	// Refuse: it is an error.
	Refuse Existing = iota
	// Replace: it is replaced, if Ours tells of each file in it that it is a
	// generated one.
	Replace
)

// ErrNotEmpty says that the folder has files.
var ErrNotEmpty = errors.New("the folder is not empty")

// Write makes the folder with exactly these files. They are written beside it
// first, and the folder takes its place as a whole (internal/files/atomic), so
// that it is complete or as it was. A symbolic link to a folder stays one. The
// error names the first file that keeps the folder from being replaced.
func Write(ctx context.Context, dir string, files []File, existing Existing, ours func(name string) bool) error {
	path, err := resolve(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	target := atomic.Target{Name: dir, Path: path}
	tx, err := atomic.Begin(ctx, atomic.OS{}, []atomic.Target{target})
	if err != nil {
		return err
	}
	defer tx.Close()
	if err := replaceable(dir, path, existing, ours); err != nil {
		return err
	}
	staged, err := tx.ReplaceFolder(target)
	if err != nil {
		return err
	}
	if err := fill(staged, files); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// resolve gives the folder that is meant.
func resolve(dir string) (string, error) {
	path, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return filepath.Abs(dir)
	}
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// replaceable makes sure that a folder may be replaced, if it is there.
func replaceable(dir, path string, existing Existing, ours func(string) bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	}
	names, err := names(path)
	if err != nil {
		return err
	}
	if len(names) > 0 && existing == Refuse {
		return fmt.Errorf("%s: %w", dir, ErrNotEmpty)
	}
	for _, name := range names {
		if !ours(name) {
			return fmt.Errorf("%s: %w, and %s in it was not generated: choose another one", dir, ErrNotEmpty, name)
		}
	}
	return nil
}

// names are the files below a folder, sorted, with slashes. What is no regular
// file counts too.
func names(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		out = append(out, filepath.ToSlash(name))
		return err
	})
	slices.Sort(out)
	return out, err
}

func fill(dir string, files []File) error {
	for _, f := range files {
		if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
			return fmt.Errorf("%s is not inside the folder", f.Name)
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := create(path, f); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o777)
}

func create(path string, f File) error {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.Mode)
	if err != nil {
		return err
	}
	_, err = out.Write(f.Text)
	err = errors.Join(err, out.Sync())
	return errors.Join(err, out.Close())
}
