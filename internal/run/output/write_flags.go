package output

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/run/input"
)

// FileFlags say whether results are put back into files.
type FileFlags struct {
	WriteIn bool
	NewFile string
}

// Add adds the flags of what is written into files.
func (f *FileFlags) Add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.WriteIn, "write", false, "put the results into the live files, all of them or none")
	cmd.Flags().StringVar(&f.NewFile, "write-new", "", "`file` that created objects are added to (with --write)")
}

// Check finds flags that do not go together.
func (f *FileFlags) Check(in *input.Flags) error {
	if f.NewFile != "" && !f.WriteIn {
		return errors.New("--write-new works only with --write")
	}
	return f.refuseNewFile(in)
}

// refuseNewFile refuses to add created objects to a file of manifests or
// definitions. One of the live files will do.
func (f *FileFlags) refuseNewFile(in *input.Flags) error {
	if f.NewFile == "" {
		return nil
	}
	if err := RefuseSpecial("--write-new", f.NewFile); err != nil {
		return err
	}
	to, err := os.Stat(f.NewFile)
	if err != nil || !to.Mode().IsRegular() {
		return nil
	}
	for _, file := range in.Named(slices.Concat(in.Filenames, in.Kustomizations(), in.Crds)) {
		if info, err := os.Stat(file); err == nil && os.SameFile(to, info) {
			return fmt.Errorf("--write-new %s would write into the input %s: name another file", f.NewFile, file)
		}
	}
	return nil
}
