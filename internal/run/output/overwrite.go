package output

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ssactl/ssactl/internal/run/input"
)

// refuseInputs refuses outputs whose file is also an input, by whatever name,
// or that of another output, or one that is to be kept, such as the one that
// created objects are added to: the run would replace what it reads or writes.
func refuseInputs(outputs []Output, in *input.Flags, kept ...string) error {
	if err := refuseCollisions(outputs, kept); err != nil {
		return err
	}
	written := map[string]fs.FileInfo{}
	for _, o := range outputs {
		// What is no regular file, such as /dev/null, has nothing to lose.
		if info, err := os.Stat(o.file); o.file != "" && err == nil && info.Mode().IsRegular() {
			written[o.file] = info
		}
	}
	in.Replaced = written
	if len(written) == 0 {
		return nil
	}
	for _, file := range append(in.Files(), kept...) {
		info, err := os.Stat(file)
		if err != nil {
			continue
		}
		for _, o := range outputs {
			if to, ok := written[o.file]; ok && os.SameFile(to, info) {
				return fmt.Errorf("--output %s=%s would replace the input %s: name another file", o.Format.Name, o.file, file)
			}
		}
	}
	return nil
}

// RefuseSpecial refuses to write the output of a flag to a device, a pipe or
// a socket, or of what a process has open, be it by links.
func RefuseSpecial(flag, name string) error {
	if name == "" {
		return nil
	}
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() || isDescriptor(name) {
		return fmt.Errorf("%s %s: nothing can take the place of a device, a pipe or a socket: name a file", flag, name)
	}
	return nil
}

// mostLinks is how many links are followed, as by the system.
const mostLinks = 40

// isDescriptor reports whether a name means an open file, as /dev/stdout does.
func isDescriptor(name string) bool {
	for range mostLinks {
		path, err := filepath.Abs(name)
		if err != nil {
			return false
		}
		if strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/dev/fd/") {
			return true
		}
		if name, err = os.Readlink(path); err != nil {
			return false
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
	}
	return false
}

// RefuseInputsIn refuses to replace a folder in which an input is, whatever its
// name: nothing of the folder is left.
func RefuseInputsIn(folder string, in *input.Flags) error {
	if _, err := os.Stat(folder); err != nil {
		return nil
	}
	for _, file := range in.Files() {
		if isWithin(folder, file) {
			return fmt.Errorf("--output-dir %s would replace the input %s in it: name another folder", folder, file)
		}
	}
	return nil
}

// isWithin reports whether a file is in a folder or below it, be it by a symbolic
// link.
func isWithin(folder, file string) bool {
	folder, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return false
	}
	in := func(path string) bool {
		path, err := filepath.Abs(path)
		if err != nil {
			return false
		}
		name, err := filepath.Rel(folder, path)
		return err == nil && filepath.IsLocal(name)
	}
	// The file itself, and the link to one elsewhere, are both lost.
	if real, err := filepath.EvalSymlinks(file); err == nil && in(real) {
		return true
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(file))
	return err == nil && in(filepath.Join(parent, filepath.Base(file)))
}
