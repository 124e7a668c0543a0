package atomic

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ReplaceFolder has a folder, with all that is in it, take the place of target,
// which is a folder or nothing, at Commit. The caller fills the folder that is
// named before. The error is a TargetError.
func (t *Transaction) ReplaceFolder(target Target) (staged string, err error) {
	e := &entry{Target: target, folder: true}
	info, err := t.files.Lstat(target.Path)
	switch {
	case err == nil && !info.IsDir():
		return "", e.error(errNoFolder)
	case err == nil:
		e.former, e.backup = info, beside(target.Path)
	case !errors.Is(err, fs.ErrNotExist):
		return "", e.error(err)
	}
	e.staged = beside(target.Path)
	t.entries = append(t.entries, e)
	return e.staged, e.error(t.files.MakeFolder(e.staged))
}

// placeFolder moves the former folder away, and the staged one to its place.
func (t *lockedFolders) placeFolder(staged, path, backup string) error {
	info, err := t.files.Lstat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := t.files.Like(staged, path); err != nil {
		return err
	}
	if info != nil {
		if err := t.files.Rename(path, backup); err != nil {
			return err
		}
	}
	if err := t.files.Rename(staged, path); err != nil {
		if info != nil {
			err = errors.Join(err, t.files.Rename(backup, path))
		}
		return err
	}
	return nil
}

// placeIntent does what a journal says of a file or a folder.
func (t *lockedFolders) placeIntent(folder string, f intent) error {
	staged, target := resolved(folder, f.Staged), resolved(folder, f.Target)
	if f.Backup == "" {
		return t.place(staged, target)
	}
	return t.placeFolder(staged, target, resolved(folder, f.Backup))
}

// isBetween reports whether the former folder has moved away, and the new one is
// not there yet.
func (t *lockedFolders) isBetween(folder string, f intent) bool {
	return t.digest(resolved(folder, f.Target)) == "" &&
		t.digest(resolved(folder, f.Staged)) == f.Next && t.digest(resolved(folder, f.Backup)) == f.Former
}

// putFoldersBack does so with those that have moved away, where nothing is
// finished.
func (t *lockedFolders) putFoldersBack(folder string, r record) {
	for _, f := range r.Files {
		target, backup := resolved(folder, f.Target), resolved(folder, f.Backup)
		if f.Backup != "" && t.isBeside(backup, target) && !exists(t.files, target) {
			_ = t.files.Rename(backup, target)
		}
	}
}

// treeDigest is the digest of the names and contents in a folder.
func treeDigest(root string) string {
	hash := sha256.New()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		var content []byte
		switch {
		case entry.Type().IsRegular():
			content, err = os.ReadFile(path)
		case entry.Type()&fs.ModeSymlink != 0:
			name, err = os.Readlink(path)
		}
		fmt.Fprintf(hash, "%q %v %x\n", filepath.ToSlash(name), entry.Type(), sha256.Sum256(content))
		return err
	})
	if err != nil {
		return unreadable
	}
	return hex.EncodeToString(hash.Sum(nil))
}
