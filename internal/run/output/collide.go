package output

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

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
			return fmt.Errorf("--output %s=%s would be written to the same file as %s: name another file", o.Format.Name, o.file, taken[i].name)
		}
		taken = append(taken, to)
	}
	return nil
}

// RefuseOutputsIn refuses outputs into a folder that is written as a whole.
func RefuseOutputsIn(folder string, outputs []Output) error {
	for _, o := range outputs {
		if o.file != "" && isWithin(folder, o.file) {
			return fmt.Errorf("--output %s=%s would be written into --output-dir %s, which is written as a whole: name another file", o.Format.Name, o.file, folder)
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
	d.path = followed(name)
	return d
}

func (d destination) same(other destination) bool {
	return d.path != "" && d.path == other.path || d.info != nil && other.info != nil && os.SameFile(d.info, other.info)
}

// maxLinks is how many symbolic links systems follow.
const maxLinks = 40

// followed is the whole path that a name leads to in the end. What cannot be
// followed is reported when it is opened.
func followed(name string) string {
	for range maxLinks {
		to, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	folder := filepath.Dir(name)
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	if whole, err := filepath.Abs(folder); err == nil {
		folder = whole
	}
	return filepath.Join(folder, filepath.Base(name))
}
