package atomic

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

// A Recovery is what became of a transaction that was killed.
type Recovery struct {
	// Folder had its journal.
	Folder string
	// Finished are the files that have got their new content by now. Where
	// somebody has changed one of the files since, nothing is finished:
	// Changed are those that are neither as they were nor as they were to be,
	// Former those that have their former content, and Next those that the
	// killed run had written.
	Finished, Changed, Former, Next []string
	// Swept is how many temporary files were removed.
	Swept int
}

// Recover finishes what killed runs left in folders, or takes it back: where
// such a run had renamed the first of its files, it renames the others, else it
// leaves all as they were; no temporary file stays. It touches no folder that
// has no journal. The Recoveries are sorted by folder; the error is that of a
// folder that could not be locked.
func Recover(ctx context.Context, files FileSystem, folders []string) ([]Recovery, error) {
	folders = slices.DeleteFunc(slices.Clone(folders), func(folder string) bool {
		return !exists(files, filepath.Join(folder, journalName))
	})
	if len(folders) == 0 {
		return nil, nil
	}
	t := &Transaction{files: files}
	defer t.Close()
	if folder, err := t.lockAll(ctx, folders); err != nil {
		return nil, &TargetError{folder, err}
	}
	return t.Recovered, nil
}

// lockAll locks folders, and those that journals in them refer to, and settles
// these journals. An error comes with the folder that it is about. Folders are
// locked in the order of their names, by everybody, so that nobody waits in a
// circle; therefore all are let go when one is missing.
func (t *Transaction) lockAll(ctx context.Context, folders []string) (string, error) {
	wanted := slices.Clone(folders)
	for {
		slices.Sort(wanted)
		wanted = slices.Compact(wanted)
		for _, folder := range wanted {
			if err := t.lock(ctx, folder); err != nil {
				t.release()
				if !slices.Contains(folders, folder) {
					err = fmt.Errorf("the journal of a killed run refers to it: %w", err)
				}
				return folder, err
			}
		}
		more := t.mentioned(wanted)
		if len(more) == 0 {
			break
		}
		t.release()
		wanted = append(wanted, more...)
	}
	return t.settle()
}

// mentioned are the folders that the journals refer to, without those that were
// asked for. What is no folder has nothing that could be finished.
func (t *Transaction) mentioned(asked []string) []string {
	var more []string
	for _, l := range t.locks {
		for _, folder := range l.record().folders(l.folder) {
			info, err := t.files.Lstat(folder)
			if err == nil && info.IsDir() && !slices.Contains(asked, folder) {
				more = append(more, folder)
			}
		}
	}
	return more
}

// record is what the journal says.
func (l locked) record() record {
	text, err := l.lock.Read()
	if err != nil {
		return record{}
	}
	return decodeRecord(text)
}

// settle ends the transactions of the journals that were found, and empties the
// folders of what is temporary. What cannot be ended stays for another run.
func (t *Transaction) settle() (string, error) {
	recovered := map[string]*Recovery{}
	for _, l := range t.locks {
		r := l.record()
		if len(r.Files) == 0 {
			continue
		}
		out, err := t.finish(l.folder, r)
		if err != nil {
			t.release()
			return l.folder, fmt.Errorf("finish what a killed run left: %w", cause(err))
		}
		recovered[l.folder] = out
	}
	for _, l := range t.locks {
		// The temporary files go when no journal needs them any more.
		_ = l.lock.Write(nil)
	}
	for _, l := range t.locks {
		r := recovered[l.folder]
		if r == nil {
			r = &Recovery{Folder: l.folder}
		}
		r.Swept = sweep(t.files, l.folder)
		if r.Swept+len(r.Finished)+len(r.Changed) > 0 {
			t.Recovered = append(t.Recovered, *r)
		}
	}
	return "", nil
}

// stage is how far the change of a file came.
type stage int

const (
	pending stage = iota // the former content is in its place
	placed               // the new one is
	changed              // neither: somebody else was here
)

// finish renames what is still to be renamed, if every file is as the killed
// run left it.
func (t *Transaction) finish(folder string, r record) (*Recovery, error) {
	out := &Recovery{Folder: folder}
	if !slices.ContainsFunc(r.Files, func(f intent) bool { return exists(t.files, resolved(folder, f.Staged)) }) {
		return out, nil // it was killed after the last rename
	}
	for _, f := range r.Files {
		target := resolved(folder, f.Target)
		switch t.stageOf(folder, f) {
		case pending:
			out.Former = append(out.Former, target)
		case placed:
			out.Next = append(out.Next, target)
		case changed:
			out.Changed = append(out.Changed, target)
		}
	}
	if len(out.Changed) > 0 {
		t.putFoldersBack(folder, r)
		return out, nil
	}
	for _, f := range r.Files {
		target := resolved(folder, f.Target)
		if !slices.Contains(out.Former, target) {
			continue
		}
		if err := t.placeIntent(folder, f); err != nil {
			return nil, err
		}
		t.files.SyncFolder(filepath.Dir(target))
	}
	out.Finished, out.Former, out.Next = out.Former, nil, nil
	return out, nil
}

// stageOf compares digests, and believes no name in a journal that is not one
// of a temporary file beside its target, in a folder that is locked: a journal
// may come from anybody.
func (t *Transaction) stageOf(folder string, f intent) stage {
	target, staged := resolved(folder, f.Target), resolved(folder, f.Staged)
	switch {
	case !t.isBeside(staged, target), f.Backup != "" && !t.isBeside(resolved(folder, f.Backup), target):
		return changed
	case f.Backup != "" && t.isBetween(folder, f):
		return pending
	}
	switch there, waits := t.digest(target), t.digest(staged); {
	case there == f.Former && waits == f.Next:
		return pending
	case there == f.Next && (waits == "" || waits == f.Next):
		return placed // and, in the latter case, about to be put back
	}
	return changed
}

// isBeside reports whether a name is that of a temporary file of target.
func (t *Transaction) isBeside(name, target string) bool {
	return filepath.Dir(name) == filepath.Dir(target) && temporary.MatchString(filepath.Base(name)) && t.hasLocked(filepath.Dir(target))
}

func (t *Transaction) hasLocked(folder string) bool {
	return slices.ContainsFunc(t.locks, func(l locked) bool { return l.folder == folder })
}

// unreadable is a digest that nothing has.
const unreadable = "?"

// digest is that of a file or a folder, "" where there is none, and one that
// nothing has where it cannot be read.
func (t *Transaction) digest(name string) string {
	info, err := t.files.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err == nil && info.IsDir():
		return treeDigest(name)
	case err != nil || !info.Mode().IsRegular():
		return unreadable
	}
	content, err := t.files.ReadFile(name)
	if err != nil {
		return unreadable
	}
	return digestOf(content)
}
