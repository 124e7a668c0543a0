package output

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	isOpen := slices.ContainsFunc(linked(name), func(path string) bool {
		return strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/dev/fd/")
	})
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() || isOpen {
		return fmt.Errorf("%s %s: nothing can take the place of a device, a pipe or a socket: name a file", flag, name)
	}
	return nil
}

// linked are the whole paths that a name leads to, link by link, as the system follows them.
// What cannot be followed is reported when it is opened.
func linked(name string) []string {
	const mostLinks = 40
	var paths []string
	for range mostLinks {
		path, err := filepath.Abs(name)
		if err != nil {
			break
		}
		paths = append(paths, path)
		if name, err = os.Readlink(path); err != nil {
			break
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
	}
	return paths
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

// refuseCollisions refuses outputs that go to one file, by whatever names and
// whether there is one yet or not.
func refuseCollisions(outputs []Output, kept []string) error {
	var taken []destination
	for _, file := range kept {
		taken = append(taken, destinationOf(file))
	}
	for _, o := range outputs {
		to := destinationOf(o.file)
		if i := slices.IndexFunc(taken, to.same); i >= 0 {
			return fmt.Errorf(
				"--output %s=%s would be written to the same file as %s: name another file",
				o.Format.Name,
				o.file,
				taken[i].name,
			)
		}
		taken = append(taken, to)
	}
	return nil
}

// RefuseOutputsIn refuses outputs into a folder that is written as a whole.
func RefuseOutputsIn(folder string, outputs []Output) error {
	for _, o := range outputs {
		if o.file != "" && isWithin(folder, o.file) {
			return fmt.Errorf(
				"--output %s=%s would be written into --output-dir %s, which is written as a whole: name another file",
				o.Format.Name, o.file, folder,
			)
		}
	}
	return nil
}

// destination is the file that a name leads to.
type destination struct {
	name string
	// path is empty for no file, and for what is no regular one: /dev/null takes
	// several outputs.
	path string
	// info is nil where there is no file yet.
	info fs.FileInfo
}

func destinationOf(name string) destination {
	d := destination{name: name}
	info, err := os.Stat(name)
	switch {
	case name == "" || err == nil && !info.Mode().IsRegular():
		return d
	case err == nil:
		d.info = info
	}
	paths := linked(name)
	if len(paths) == 0 {
		return d
	}
	d.path = paths[len(paths)-1]
	if folder, err := filepath.EvalSymlinks(filepath.Dir(d.path)); err == nil {
		d.path = filepath.Join(folder, filepath.Base(d.path))
	}
	return d
}

func (d destination) same(other destination) bool {
	return d.path != "" && d.path == other.path || d.info != nil && other.info != nil && os.SameFile(d.info, other.info)
}
