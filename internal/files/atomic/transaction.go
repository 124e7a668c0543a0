package atomic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
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
	lockedFolders
	held    []io.Closer
	entries []*entry
	// journal is the one that was written, nil for none.
	journal Lock
}

// lockedFolders are folders whose locks are held, and whose journals are settled.
type lockedFolders struct {
	// Recovered is what killed runs had left, sorted by folder.
	Recovered []Recovery

	files FileSystem
	locks []locked // sorted by folder
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
	t := &Transaction{lockedFolders: lockedFolders{files: files}}
	paths := make([]string, len(targets))
	for i, target := range targets {
		paths[i] = target.Path
	}
	if folder, err := t.lockAll(ctx, foldersOf(paths)); err != nil {
		t.Close()
		name := folder
		if i := slices.IndexFunc(targets, func(target Target) bool { return filepath.Dir(target.Path) == folder }); i >= 0 {
			name = targets[i].Name
		}
		return nil, &TargetError{name, err}
	}
	for _, target := range targets {
		err := waiting(ctx, func() error {
			held, err := t.files.Hold(target.Path)
			switch {
			case errors.Is(err, ErrLocked):
				return err
			case err == nil:
				t.held = append(t.held, held)
			}
			// What cannot be locked is covered by the lock of its folder.
			return nil
		})
		if err != nil {
			t.Close()
			return nil, &TargetError{target.Name, err}
		}
	}
	return t, nil
}

func (t *lockedFolders) lock(ctx context.Context, folder string) error {
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
			switch {
			case name == "":
			case e.folder:
				_ = t.files.Sweep(name)
			default:
				_ = t.files.Remove(name)
			}
		}
	}
	t.remove()
}

// remove lets the folders go, and takes the journals out of them.
func (t *lockedFolders) remove() {
	for _, l := range t.locks {
		_ = l.lock.Remove()
	}
	t.locks = nil
}

// release lets the folders go, and leaves the journals in them. A new one says
// nothing unless this transaction is stuck.
func (t *lockedFolders) release() {
	for _, l := range t.locks {
		if l.lock.IsNew() && !t.stuck {
			_ = l.lock.Remove()
		} else {
			l.lock.Release()
		}
	}
	t.locks = nil
}

// Commit puts the new contents in place. Errors before the first rename, a
// canceled ctx among them, leave everything as it was; they are TargetErrors. A
// failed rename is a SwapError if others had been done. After the first rename
// ctx is not asked any more.
//
// A process that is killed on the way leaves a journal from which the next
// transaction, or Recover, goes on: before the journal is whole, everything is
// as it was; after that, everything will be new.
func (t *Transaction) Commit(ctx context.Context) error {
	for _, e := range t.entries {
		if e.folder {
			continue
		}
		if err := t.unchanged(e); err != nil {
			return e.error(err)
		}
		if e.former == nil {
			continue
		}
		if err := t.files.Adopt(e.staged, e.Path); err != nil {
			return e.error(cause(err))
		}
		if len(t.entries) == 1 {
			continue
		}
		if err := t.keep(e); err != nil {
			return e.error(err)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := t.announce(); err != nil {
		return err
	}
	return t.swap()
}

// keep gives the former content a second name, or copies it where the file
// system has no hard links.
func (t *Transaction) keep(e *entry) error {
	name := beside(e.Path)
	if err := t.files.Link(e.Path, name); err == nil {
		e.backup = name
		return nil
	}
	return t.put(beside(e.Path), e.formerly, &e.backup)
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

// announce writes the journals: those that refer to the first one before it, as
// it is the one that counts. What is one rename needs none.
func (t *Transaction) announce() error {
	if len(t.entries) == 0 || len(t.entries) == 1 && t.entries[0].backup == "" {
		return nil
	}
	first := filepath.Dir(t.entries[0].Path)
	whole := record{Files: make([]intent, len(t.entries))}
	for i, e := range t.entries {
		whole.Files[i] = t.intent(e, first)
	}
	for _, l := range t.locks {
		if l.folder == first {
			t.journal = l.lock
			continue
		}
		if err := (record{Journal: relative(l.folder, first)}).write(l.lock); err != nil {
			return t.entries[0].error(err)
		}
	}
	return t.entries[0].error(whole.write(t.journal))
}

func (r record) write(to Lock) error {
	text, err := r.encode()
	if err == nil {
		err = to.Write(text)
	}
	if err != nil {
		return fmt.Errorf("write the journal of its folder: %w", cause(err))
	}
	return nil
}

func (t *Transaction) intent(e *entry, folder string) intent {
	i := intent{Target: relative(folder, e.Path), Staged: relative(folder, e.staged)}
	switch {
	case e.folder:
		i.Next, i.Former = t.digest(e.staged), t.digest(e.Path)
		if e.backup != "" {
			i.Backup = relative(folder, e.backup)
		}
	case e.former != nil:
		i.Next, i.Former = digestOf(e.content), digestOf(e.formerly)
	default:
		i.Next = digestOf(e.content)
	}
	return i
}

// swap renames the staged files into place. At the first failure it puts the
// earlier ones back, last first.
func (t *Transaction) swap() error {
	var paths []string
	for i, e := range t.entries {
		var err error
		if e.folder {
			err = t.placeFolder(e.staged, e.Path, e.backup)
		} else {
			err = t.place(e.staged, e.Path)
		}
		if err != nil {
			err = e.error(fmt.Errorf("put its new content in place: %w", cause(err)))
			if i == 0 {
				return err
			}
			return t.restore(err, t.entries[:i])
		}
		paths = append(paths, e.Path)
	}
	for _, folder := range foldersOf(paths) {
		t.files.SyncFolder(folder)
	}
	return nil
}

// place renames a staged file into its place, with the mode, the owner and the
// attributes of what is there. It gets the mode last, so that it is nobody else's
// business until then.
func (t *lockedFolders) place(staged, path string) error {
	if err := t.files.Like(staged, path); err != nil {
		return err
	}
	return t.files.Rename(staged, path)
}

// restore puts files back. Until all are, the journal holds, and each file is
// in one of the two states that it knows.
func (t *Transaction) restore(cause error, done []*entry) error {
	failure := &SwapError{Err: cause}
	for i := len(done) - 1; i >= 0; i-- {
		e := done[i]
		if err := t.restoreOne(e); err != nil {
			failure.Lost = append([]LostFile{{Target: e.Name, Backup: e.backup, Err: err}}, failure.Lost...)
			t.stuck = true
			continue
		}
		failure.Restored = append([]string{e.Name}, failure.Restored...)
	}
	return failure
}

func (t *Transaction) restoreOne(e *entry) error {
	if e.folder || e.former == nil {
		if err := t.files.Rename(e.Path, e.staged); err != nil || e.former == nil {
			return err
		}
		return t.files.Rename(e.backup, e.Path)
	}
	if t.files.Link(e.Path, e.staged) != nil {
		// Without it the journal cannot be followed any more if this process is
		// killed now, which is no reason to leave the file.
		_ = t.put(e.staged, e.content, &e.staged)
	}
	if err := t.files.Rename(e.backup, e.Path); err != nil {
		_ = t.files.Remove(e.staged)
		return err
	}
	e.backup = ""
	return nil
}
