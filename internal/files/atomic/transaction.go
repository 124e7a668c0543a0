package atomic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
)

// A Target is a file that a transaction may write.
type Target struct {
	// Name is what the user calls it, in errors.
	Name string
	// Path is the absolute path without symbolic links.
	Path string
}

// A Transaction replaces files, all of them or none. From Begin to Close it has
// the lock of each of their folders, and of each file itself where the system
// has such locks: what is read of them in between is what will be replaced.
type Transaction struct {
	files   FileSystem
	locks   []Lock
	held    []io.Closer
	entries []*entry
}

// entry is the change of one file.
type entry struct {
	Target
	// former describes the file that is replaced; nil for one that is new.
	former fs.FileInfo
	// content is the new one, formerly what there was.
	content, formerly []byte
	// staged and backup are the files beside it that have the new and the
	// former content, "" while there is none.
	staged, backup string
}

// Begin locks targets and their folders, one after the other in the order of
// their paths, so that two transactions never wait for each other. It waits for
// others that are being committed, but not for long: ErrLocked. The error is a
// TargetError. The caller has to Close the transaction.
func Begin(ctx context.Context, files FileSystem, targets []Target) (*Transaction, error) {
	t := &Transaction{files: files}
	paths := make([]string, len(targets))
	for i, target := range targets {
		paths[i] = target.Path
	}
	for _, folder := range foldersOf(paths) {
		if err := t.lock(ctx, folder); err != nil {
			t.Close()
			return nil, &TargetError{nameIn(targets, folder), err}
		}
	}
	for _, target := range targets {
		if err := t.hold(ctx, target.Path); err != nil {
			t.Close()
			return nil, &TargetError{target.Name, err}
		}
	}
	return t, nil
}

func (t *Transaction) lock(ctx context.Context, folder string) error {
	err := waiting(ctx, func() error {
		lock, err := t.files.Lock(filepath.Join(folder, journalName))
		if err == nil {
			t.locks = append(t.locks, lock)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("lock its folder: %w", cause(err))
	}
	return nil
}

func (t *Transaction) hold(ctx context.Context, path string) error {
	return waiting(ctx, func() error {
		held, err := t.files.Hold(path)
		switch {
		case errors.Is(err, ErrLocked):
			return err
		case err == nil:
			t.held = append(t.held, held)
		}
		// What cannot be locked is covered by the lock of its folder.
		return nil
	})
}

// nameIn is the name of the first target in a folder.
func nameIn(targets []Target, folder string) string {
	for _, target := range targets {
		if filepath.Dir(target.Path) == folder {
			return target.Name
		}
	}
	return folder
}

// Replace gives a file new content, which is written beside it. former are the
// attributes and the content that the file has had since Begin; nil for a file
// that does not exist. The error is a TargetError.
func (t *Transaction) Replace(target Target, content []byte, former fs.FileInfo, formerly []byte) error {
	e := &entry{Target: target, content: content, former: former, formerly: formerly}
	t.entries = append(t.entries, e)
	return e.error(t.put(Beside(target.Path), former, content, &e.staged))
}

func (e *entry) error(err error) error {
	if err == nil {
		return nil
	}
	return &TargetError{e.Name, err}
}

// put writes a file that does not exist yet. Its name is noted in made as soon
// as it does; errors do not have it, as it says nothing to anybody.
func (t *Transaction) put(name string, like fs.FileInfo, content []byte, made *string) error {
	mode := fs.FileMode(0o600)
	if like == nil {
		// The process's mask takes away what a new file should not have.
		mode = 0o666
	}
	f, err := t.files.Create(name, mode)
	if err != nil {
		return fmt.Errorf("make a file beside it: %w", cause(err))
	}
	*made = name
	_, err = f.Write(content)
	if err == nil && like != nil {
		err = f.Like(like)
	}
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return cause(err)
}

// Commit puts the new contents in place. Errors before the first rename, a
// cancelled ctx among them, leave everything as it was; they are TargetErrors. A
// failed rename is a SwapError if others had been done. After the first rename
// ctx is not asked any more.
func (t *Transaction) Commit(ctx context.Context) error {
	for _, e := range t.entries {
		if err := t.unchanged(e); err != nil {
			return e.error(err)
		}
		if e.former == nil || len(t.entries) == 1 {
			continue
		}
		if err := t.keep(e); err != nil {
			return e.error(err)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return t.swap()
}

// keep gives the former content a second name, or copies it where the file
// system has no hard links.
func (t *Transaction) keep(e *entry) error {
	name := Beside(e.Path)
	if err := t.files.Link(e.Path, name); err == nil {
		e.backup = name
		return nil
	}
	return t.put(Beside(e.Path), e.former, e.formerly, &e.backup)
}

// unchanged asks, just before the swap, whether somebody who heeds no lock
// wrote the file in the meantime.
func (t *Transaction) unchanged(e *entry) error {
	info, err := t.files.Lstat(e.Path)
	switch {
	case e.former == nil && errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case e.former == nil || info.Size() != e.former.Size() || !info.ModTime().Equal(e.former.ModTime()):
		return ErrChanged
	}
	return nil
}

// swap renames the staged files into place. At the first failure it puts the
// earlier ones back, last first.
func (t *Transaction) swap() error {
	for i, e := range t.entries {
		if err := t.files.Rename(e.staged, e.Path); err != nil {
			err = e.error(fmt.Errorf("put its new content in place: %w", cause(err)))
			if i == 0 {
				return err
			}
			return t.restore(err, t.entries[:i])
		}
		e.staged = ""
	}
	t.syncFolders()
	return nil
}

func (t *Transaction) restore(cause error, done []*entry) error {
	failure := &SwapError{Err: cause}
	for i := len(done) - 1; i >= 0; i-- {
		e := done[i]
		if err := t.restoreOne(e); err != nil {
			failure.Lost = append([]LostFile{{Target: e.Name, Backup: e.backup, Err: err}}, failure.Lost...)
			e.backup = ""
			continue
		}
		failure.Restored = append([]string{e.Name}, failure.Restored...)
	}
	return failure
}

func (t *Transaction) restoreOne(e *entry) error {
	if e.former == nil {
		return t.files.Remove(e.Path)
	}
	if err := t.files.Rename(e.backup, e.Path); err != nil {
		return err
	}
	e.backup = ""
	return nil
}

func (t *Transaction) syncFolders() {
	paths := make([]string, len(t.entries))
	for i, e := range t.entries {
		paths[i] = e.Path
	}
	for _, folder := range foldersOf(paths) {
		t.files.SyncFolder(folder)
	}
}

// Close removes what is left beside the targets, and releases them.
func (t *Transaction) Close() {
	for _, e := range t.entries {
		for _, name := range []string{e.staged, e.backup} {
			if name != "" {
				_ = t.files.Remove(name)
			}
		}
	}
	for _, held := range t.held {
		_ = held.Close()
	}
	for _, lock := range t.locks {
		_ = lock.Remove()
	}
	t.entries, t.held, t.locks = nil, nil, nil
}
