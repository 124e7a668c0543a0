package folder

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// ErrNotEmpty tells that the folder has files.
var ErrNotEmpty = errors.New("the folder is not empty")

// Write makes the folder with exactly these files. They are written beside it
// first, and the folder takes its place in one rename, so that it is complete
// or as it was. A symbolic link to a folder stays one. The error names the
// first file that keeps the folder from being replaced.
func Write(dir string, files []File, existing Existing, ours func(name string) bool) error {
	target, err := place(dir, existing, ours)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return err
	}
	staged := beside(target)
	defer func() { _ = os.RemoveAll(staged) }()
	if err := fill(staged, files); err != nil {
		return err
	}
	return swap(staged, target)
}

// place is the folder that is meant, which may be replaced.
func place(dir string, existing Existing, ours func(string) bool) (string, error) {
	target, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return filepath.Abs(dir)
	}
	if err != nil {
		return "", err
	}
	if target, err = filepath.Abs(target); err != nil {
		return "", err
	}
	info, err := os.Stat(target)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s is not a folder", dir)
	}
	names, err := names(target)
	if err != nil {
		return "", err
	}
	if len(names) > 0 && existing == Refuse {
		return "", fmt.Errorf("%s: %w", dir, ErrNotEmpty)
	}
	for _, name := range names {
		if !ours(name) {
			return "", fmt.Errorf("%s: %w, and %s in it was not generated: choose another one", dir, ErrNotEmpty, name)
		}
	}
	return target, nil
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
	return errors.Join(err, out.Close())
}

// swap puts the staged folder in the target's place; at a failure the former
// one is put back.
func swap(staged, target string) error {
	former := beside(target)
	err := os.Rename(target, former)
	if errors.Is(err, fs.ErrNotExist) {
		return os.Rename(staged, target)
	}
	if err != nil {
		return err
	}
	if err := os.Rename(staged, target); err != nil {
		return errors.Join(err, os.Rename(former, target))
	}
	return os.RemoveAll(former)
}

// beside names something in the folder of target that nobody uses.
func beside(target string) string {
	return filepath.Join(filepath.Dir(target), "."+strings.TrimPrefix(filepath.Base(target), ".")+"-"+rand.Text())
}
