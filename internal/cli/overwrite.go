package cli

import (
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/ssactl/ssactl/internal/manifest"
)

// refuseInputs refuses outputs whose file is also an input, by whatever name,
// or is the one that created objects are added to: the run would replace what
// it reads. More are inputs beside those of the flags.
func refuseInputs(outputs []output, in *inputFlags, more ...string) error {
	written := map[string]fs.FileInfo{}
	for _, o := range outputs {
		// What is no regular file, such as /dev/null, has nothing to lose.
		if info, err := os.Stat(o.file); o.file != "" && err == nil && info.Mode().IsRegular() {
			written[o.file] = info
		}
	}
	if len(written) == 0 {
		return nil
	}
	for _, path := range slices.Concat(in.filenames, in.live, in.crds, more) {
		// Of a path that cannot be read, the reading tells.
		files, _ := manifest.Files(path, in.recursion())
		for _, file := range files {
			info, err := os.Stat(file)
			if err != nil {
				continue
			}
			for _, o := range outputs {
				if to, ok := written[o.file]; ok && os.SameFile(to, info) {
					return fmt.Errorf("--output %s=%s would replace the input %s: name another file", o.format.Name, o.file, file)
				}
			}
		}
	}
	return nil
}

// refuseNewFile refuses to add created objects to a file of manifests or
// definitions. One of the live files will do.
func (f *writeFlags) refuseNewFile(in *inputFlags) error {
	if f.newFile == "" {
		return nil
	}
	to, err := os.Stat(f.newFile)
	if err != nil || !to.Mode().IsRegular() {
		return nil
	}
	for _, path := range slices.Concat(in.filenames, in.crds) {
		files, _ := manifest.Files(path, in.recursion())
		for _, file := range files {
			if info, err := os.Stat(file); err == nil && os.SameFile(to, info) {
				return fmt.Errorf("--write-new %s would write into the input %s: name another file", f.newFile, file)
			}
		}
	}
	return nil
}
