package atomic

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

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
