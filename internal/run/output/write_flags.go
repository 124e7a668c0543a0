package output

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/run/input"
)

// WriteFlags say whether results are put back into files.
type WriteFlags struct {
	WriteIn bool
	NewFile string
}

func (f *WriteFlags) Add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.WriteIn, "write", false, "put the results into the live files, all of them or none")
	cmd.Flags().StringVar(&f.NewFile, "write-new", "", "`file` that created objects are added to (with --write)")
}

func (f *WriteFlags) Check(in *input.InputFlags) error {
	if f.NewFile != "" && !f.WriteIn {
		return errors.New("--write-new works only with --write")
	}
	return f.refuseNewFile(in)
}

// refuseNewFile refuses to add created objects to a file of manifests or
// definitions. One of the live files will do.
func (f *WriteFlags) refuseNewFile(in *input.InputFlags) error {
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
