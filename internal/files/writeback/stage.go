package writeback

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func compareText(a, b string) int { return strings.Compare(a, b) }

// A stage is the part of a commit that touches the disk.
type stage struct {
	files   FileSystem
	targets []*target
}

// write puts the new content of every target into a file beside it, and keeps
// the former one at hand where several are to be swapped.
func (s *stage) write(ctx context.Context) error {
	for _, t := range s.targets {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.writeOne(t); err != nil {
			return fileError(t.file, err)
		}
	}
	for _, t := range s.targets {
		if err := s.unchanged(t); err != nil {
			return fileError(t.file, err)
		}
		if t.info == nil || len(s.targets) == 1 {
			continue
		}
		if err := s.keep(t); err != nil {
			return fileError(t.file, err)
		}
	}
	return ctx.Err()
}

func (s *stage) writeOne(t *target) error {
	name := Beside(t.path)
	mode := fs.FileMode(0o600)
	if t.info == nil {
		// The process's mask takes away what a new file should not have.
		mode = 0o666
	}
	return s.put(name, mode, t.info, t.next, &t.staged)
}

// put writes a file that does not exist yet. Its name is noted in made as soon
// as it does; errors do not tell it, as it says nothing to anybody.
func (s *stage) put(name string, mode fs.FileMode, like fs.FileInfo, content []byte, made *string) error {
	f, err := s.files.Create(name, mode)
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

// cause is an error without the names of files.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// keep gives the former content a second name, or copies it where the file
// system has no hard links.
func (s *stage) keep(t *target) error {
	name := Beside(t.path)
	if err := s.files.Link(t.path, name); err == nil {
		t.backup = name
		return nil
	}
	return s.put(Beside(t.path), 0o600, t.info, t.raw, &t.backup)
}

// unchanged asks, just before the swap, whether somebody else wrote the file
// in the meantime.
func (s *stage) unchanged(t *target) error {
	info, err := s.files.Lstat(t.path)
	switch {
	case t.info == nil && errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case t.info == nil || info.Size() != t.info.Size() || !info.ModTime().Equal(t.info.ModTime()):
		return ErrChanged
	}
	return nil
}

// swap renames the staged files into place. At the first failure it puts the
// earlier ones back, last first.
func (s *stage) swap() error {
	for i, t := range s.targets {
		if err := s.files.Rename(t.staged, t.path); err != nil {
			err = fileError(t.file, fmt.Errorf("put its new content in place: %w", cause(err)))
			if i == 0 {
				return err
			}
			return s.restore(err, s.targets[:i])
		}
		t.staged = ""
	}
	s.syncFolders()
	return nil
}

func (s *stage) restore(cause error, done []*target) error {
	failure := &SwapError{Err: cause}
	for i := len(done) - 1; i >= 0; i-- {
		t := done[i]
		if err := s.restoreOne(t); err != nil {
			failure.Lost = append([]LostFile{{File: t.file, Backup: t.backup, Err: err}}, failure.Lost...)
			t.backup = ""
			continue
		}
		failure.Restored = append([]string{t.file}, failure.Restored...)
	}
	return failure
}

func (s *stage) restoreOne(t *target) error {
	if t.info == nil {
		return s.files.Remove(t.path)
	}
	if err := s.files.Rename(t.backup, t.path); err != nil {
		return err
	}
	t.backup = ""
	return nil
}

func (s *stage) syncFolders() {
	done := map[string]bool{}
	for _, t := range s.targets {
		folder := filepath.Dir(t.path)
		if !done[folder] {
			s.files.SyncFolder(folder)
		}
		done[folder] = true
	}
}

// clean removes what is left beside the targets.
func (s *stage) clean() {
	for _, t := range s.targets {
		for _, name := range []string{t.staged, t.backup} {
			if name != "" {
				_ = s.files.Remove(name)
			}
		}
	}
}
