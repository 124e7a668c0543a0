package atomic

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// A FileSystem is what a transaction needs of the machine's files. OS is the
// real one; tests put one around it that runs full, forbids, fails half way, or
// kills the process.
type FileSystem interface {
	// Resolve follows symbolic links to the file that is meant.
	Resolve(name string) (string, error)
	// Lstat describes a name without following a link.
	Lstat(name string) (fs.FileInfo, error)
	// ReadFile reads a whole file.
	ReadFile(name string) ([]byte, error)
	// Lock makes the file if it does not exist, and takes its lock. It does not
	// wait: ErrLocked where another process has it.
	Lock(name string) (Lock, error)
	// Hold takes the lock of a file that is there, as other programs take it,
	// until it is closed: ErrLocked where another process has it. Any other
	// error means that there is no such lock.
	Hold(name string) (io.Closer, error)
	// Create makes a file that must not exist yet, and that nobody else may
	// read.
	Create(name string) (File, error)
	// MakeFolder makes a folder that must not exist yet, and that nobody else
	// may look into.
	MakeFolder(name string) error
	// Adopt gives a file or folder the owner, the group and the extended attributes of
	// another, and nobody else may read it yet. What cannot be kept is an error.
	Adopt(name, former string) error
	// Like is Adopt with the mode; or, where there is nothing of the former name, the
	// mode of a new file or folder.
	Like(name, former string) error
	// Link gives the file a second name that must not exist yet.
	Link(name, second string) error
	// Rename replaces the file of the new name, if there is one.
	Rename(from, to string) error
	// Remove deletes a file.
	Remove(name string) error
	// ReadFolder gives the names in a folder.
	ReadFolder(name string) ([]string, error)
	// Sweep deletes a temporary file or folder, unless a process has its lock.
	Sweep(name string) error
	// SyncFolder makes the renames in a folder durable where the system can.
	// Not being able to is no error: the renames are done.
	SyncFolder(name string)
}

// A File is an open file that is being written.
type File interface {
	io.WriteCloser
	// Sync makes what was written durable.
	Sync() error
}

// OS is the file system of the machine.
type OS struct{}

// Resolve implements FileSystem.
func (OS) Resolve(name string) (string, error) {
	resolved, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(resolved)
}

// Lstat implements FileSystem.
func (OS) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

// ReadFile implements FileSystem.
func (OS) ReadFile(name string) ([]byte, error) { return os.ReadFile(name) }

// Create implements FileSystem.
func (OS) Create(name string) (File, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// Adopt implements FileSystem. The owner comes first: setting what follows needs the
// rights of the one who has the file, or of root.
func (OS) Adopt(name, former string) error {
	info, err := os.Lstat(former)
	if err != nil {
		return err
	}
	if err := chownLike(name, info); err != nil {
		return err
	}
	if err := copyAttributes(name, former); err != nil {
		return err
	}
	mode := fs.FileMode(0o600)
	if info.IsDir() {
		mode = 0o700
	}
	// An access control list counts within the mode.
	return os.Chmod(name, mode)
}

// Like implements FileSystem.
func (o OS) Like(name, former string) error {
	info, err := os.Lstat(former)
	if errors.Is(err, fs.ErrNotExist) {
		return likeNew(name)
	}
	if err != nil {
		return err
	}
	if err := o.Adopt(name, former); err != nil {
		return err
	}
	return os.Chmod(name, info.Mode())
}

// likeNew gives a file the mode of a new one; a folder may be looked into by
// anyone who may read such a file.
func likeNew(name string) error {
	mode := newFileMode
	info, err := os.Lstat(name)
	if err != nil {
		return err
	}
	if info.IsDir() {
		mode |= 0o100 | mode>>2&0o011
	}
	return os.Chmod(name, mode)
}

// MakeFolder implements FileSystem.
func (OS) MakeFolder(name string) error { return os.Mkdir(name, 0o700) }

// ReadFolder implements FileSystem.
func (OS) ReadFolder(name string) ([]string, error) {
	folder, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	names, err := folder.Readdirnames(-1)
	return names, errors.Join(err, folder.Close())
}

// Link implements FileSystem.
func (OS) Link(name, second string) error { return os.Link(name, second) }

// Rename implements FileSystem.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Remove implements FileSystem.
func (OS) Remove(name string) error { return os.Remove(name) }

// SyncFolder implements FileSystem.
func (OS) SyncFolder(name string) {
	if folder, err := os.Open(name); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}

// temporary is the name of what stands beside a target while it is written.
var temporary = regexp.MustCompile(`^\.ssactl-[A-Z2-7]{26}$`)

// beside names a file in the folder of target that nobody uses.
func beside(target string) string {
	return filepath.Join(filepath.Dir(target), ".ssactl-"+rand.Text())
}

// Sweep implements FileSystem.
func (OS) Sweep(name string) error {
	info, err := os.Lstat(name)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return os.RemoveAll(name)
	case !info.Mode().IsRegular():
		return ErrNotRegular
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	if err = tryLock(file); err == nil && removesOpenFiles {
		err = os.Remove(name)
	}
	if closing := file.Close(); err != nil {
		return err
	} else if removesOpenFiles {
		return closing
	}
	return os.Remove(name)
}

// sweep removes the temporary files of runs that were killed from a folder
// whose lock is held, and gives how many. Those of an output that is still
// being written are locked.
func sweep(files FileSystem, folder string) int {
	names, err := files.ReadFolder(folder)
	if err != nil {
		return 0
	}
	swept := 0
	for _, name := range names {
		if temporary.MatchString(name) && files.Sweep(filepath.Join(folder, name)) == nil {
			swept++
		}
	}
	return swept
}

// exists reports whether there is something of a name.
func exists(files FileSystem, name string) bool {
	_, err := files.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}
