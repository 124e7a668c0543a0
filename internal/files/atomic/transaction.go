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
	// Recovered is what killed runs had left, sorted by folder.
	Recovered []Recovery

	files   FileSystem
	locks   []locked // sorted by folder
	held    []io.Closer
	entries []*entry
	// journal is the one that was written, nil for none.
	journal Lock
	// stuck: not all files could be put back, and the journal stays.
	stuck bool
}

// locked is a folder whose lock is held.
type locked struct {
	folder string
	lock   Lock
}

// entry is the change of one file, or of a folder as a whole.
type entry struct {
	Target
	// former describes what is replaced; nil where there is nothing.
	former fs.FileInfo
	// content is the new one of a file, formerly what there was.
	content, formerly []byte
	// staged and backup stand beside it and have the new and the former
	// content, "" where there was none. A folder moves to its backup.
	staged, backup string
	folder         bool
}

// Begin locks targets and their folders. It waits for others that are being
// committed, but not for long: ErrLocked. What killed runs have left in these
// folders is finished or taken back (Recover); the files may be others than they
// were before. The error is a TargetError. The caller has to Close the
// transaction.
func Begin(ctx context.Context, files FileSystem, targets []Target) (*Transaction, error) {
	t := &Transaction{files: files}
	paths := make([]string, len(targets))
	for i, target := range targets {
		paths[i] = target.Path
	}
	if folder, err := t.lockAll(ctx, foldersOf(paths)); err != nil {
		t.Close()
		return nil, &TargetError{nameIn(targets, folder), err}
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
			t.locks = append(t.locks, locked{folder, lock})
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
	return e.error(t.put(beside(target.Path), content, &e.staged))
}

func (e *entry) error(err error) error {
	if err == nil {
		return nil
	}
	return &TargetError{e.Name, err}
}

// put writes a temporary file. Its name is noted in made as soon as it does;
// errors do not have it, as it says nothing to anybody.
func (t *Transaction) put(name string, content []byte, made *string) error {
	f, err := t.files.Create(name)
	if err != nil {
		return fmt.Errorf("make a file beside it: %w", cause(err))
	}
	*made = name
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return cause(err)
}

// Close removes what is left beside the targets, and releases them.
func (t *Transaction) Close() {
	if !t.stuck {
		t.clean()
	}
	t.release()
	for _, held := range t.held {
		_ = held.Close()
	}
	t.entries, t.held, t.journal = nil, nil, nil
}

// clean takes the journal back before the files that it names.
func (t *Transaction) clean() {
	if t.journal != nil {
		_ = t.journal.Write(nil)
	}
	for _, e := range t.entries {
		for _, name := range []string{e.staged, e.backup} {
			if name != "" {
				t.remove(e, name)
			}
		}
	}
	for _, l := range t.locks {
		_ = l.lock.Remove()
	}
	t.locks = nil
}

func (t *Transaction) remove(e *entry, name string) {
	if e.folder {
		_ = t.files.Sweep(name)
	} else {
		_ = t.files.Remove(name)
	}
}

// release lets the folders go, and leaves the journals in them. A new one says
// nothing unless this transaction is stuck.
func (t *Transaction) release() {
	for _, l := range t.locks {
		if l.lock.IsNew() && !t.stuck {
			_ = l.lock.Remove()
		} else {
			l.lock.Release()
		}
	}
	t.locks = nil
}
