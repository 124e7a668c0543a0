package atomic

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
	t := &lockedFolders{files: files}
	defer t.remove()
	if folder, err := t.lockAll(ctx, folders); err != nil {
		return nil, &TargetError{folder, err}
	}
	return t.Recovered, nil
}

// lockAll locks folders, and those that journals in them refer to, and settles
// these journals. An error comes with the folder that it is about. Folders are
// locked in the order of their names, by everybody, so that nobody waits in a
// circle; therefore all are let go when one is missing.
func (t *lockedFolders) lockAll(ctx context.Context, folders []string) (string, error) {
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
func (t *lockedFolders) mentioned(asked []string) []string {
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
func (t *lockedFolders) settle() (string, error) {
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
func (t *lockedFolders) finish(folder string, r record) (*Recovery, error) {
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
func (t *lockedFolders) stageOf(folder string, f intent) stage {
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
func (t *lockedFolders) isBeside(name, target string) bool {
	folder := filepath.Dir(target)
	return filepath.Dir(name) == folder && temporary.MatchString(filepath.Base(name)) &&
		slices.ContainsFunc(t.locks, func(l locked) bool { return l.folder == folder })
}

// unreadable is a digest that nothing has.
const unreadable = "?"

// digest is that of a file or a folder, "" where there is none, and one that
// nothing has where it cannot be read.
func (t *lockedFolders) digest(name string) string {
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

// A record is what a journal says. It is written when everything is staged and
// before the first rename: from then on the transaction counts as done. The
// first folder has the record of all files, the others refer to it.
type record struct {
	// Journal is the folder whose journal has the files, of a journal that
	// has none itself.
	Journal string   `json:"journal,omitempty"`
	Files   []intent `json:"files,omitempty"`
}

// An intent is what is to become of one file. Paths are relative to the folder
// of the journal, with slashes: the files may be moved as a whole.
type intent struct {
	Target string `json:"target"`
	// Staged is the file that takes the place of the target. Where it is gone,
	// that is done.
	Staged string `json:"staged"`
	// Backup is where a folder moves before another takes its place. A file is
	// replaced in one step.
	Backup string `json:"backup,omitempty"`
	// Former and Next are the digests of the contents; Former is "" where there
	// is no file before.
	Former string `json:"former,omitempty"`
	Next   string `json:"next"`
}

// encode gives the text of a journal: the record, and a line with its digest,
// by which one that was cut short is known.
func (r record) encode() ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode the journal: %w", err)
	}
	return fmt.Appendf(nil, "%s\n%s\n", text, digestOf(text)), nil
}

// decodeRecord gives the zero record for a journal that says nothing: it is
// empty, or was cut short, and nothing was renamed yet.
func decodeRecord(text []byte) record {
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	if string(rest) != digestOf(line)+"\n" {
		return record{}
	}
	var r record
	if json.Unmarshal(line, &r) != nil {
		return record{}
	}
	return r
}

func digestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// relative is a path as a journal has it; absolute where there is no other way
// to it (another drive).
func relative(folder, path string) string {
	if name, err := filepath.Rel(folder, path); err == nil {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(path)
}

// resolved is the path that a journal means.
func resolved(folder, name string) string {
	path := filepath.FromSlash(name)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(folder, path)
}

// folders are those that the transaction of a journal in a folder had locked,
// as far as the journal knows.
func (r record) folders(folder string) []string {
	if r.Journal != "" {
		return []string{resolved(folder, r.Journal)}
	}
	paths := make([]string, len(r.Files))
	for i, f := range r.Files {
		paths[i] = resolved(folder, f.Target)
	}
	return foldersOf(paths)
}
