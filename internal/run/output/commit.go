package output

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/files/writeback"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
)

// WriteBack carries a plan out where the verdict of the run is good; else it says
// why not.
func WriteBack(ctx context.Context, a *app.App, plan *writeback.Plan, verdict error, why string) error {
	if verdict != nil {
		fmt.Fprintf(a.Streams.Err, "nothing was written, since %s\n", why)
		return verdict
	}
	return Commit(ctx, a, plan)
}

// Commit carries a plan out and reports the files that were written.
func Commit(ctx context.Context, a *app.App, plan *writeback.Plan) error {
	plan.OnRecovery, plan.Given = a.TellRecovered, a.Given
	files, err := plan.Commit(ctx, atomic.OS{})
	for _, file := range files {
		fmt.Fprintf(a.Streams.Err, "wrote %s\n", file)
	}
	return Unwritten(err)
}

// Unwritten says what to do about an error of a commit.
func Unwritten(err error) error {
	var swap *atomic.SwapError
	switch {
	case errors.As(err, &swap) && len(swap.Lost) > 0:
		return fmt.Errorf(
			"%w: the next run that reads these files finishes what this one began, unless one of them is changed before",
			err,
		)
	case errors.Is(err, writeback.ErrNoNewFile):
		return fmt.Errorf("%w: name one with --write-new FILE; nothing was written", err)
	case errors.Is(err, writeback.ErrStandardInput):
		return fmt.Errorf("%w: give the objects as a file; nothing was written", err)
	case errors.Is(err, writeback.ErrExists):
		return fmt.Errorf("%w; nothing was written: give the file as --live too", err)
	case errors.Is(err, atomic.ErrChanged):
		return fmt.Errorf("%w; nothing was written: run the command again, so that it answers for the file as it is now", err)
	case errors.Is(err, atomic.ErrNotKept):
		return fmt.Errorf("%w; nothing was written: run the command as the user who has the file", err)
	case errors.Is(err, atomic.ErrLocked):
		return fmt.Errorf(
			"%w; nothing was written: wait until it is done (another ssactl with --write?), and run the command again",
			err,
		)
	}
	return err
}

// PlaceOf is where a live object stands in its file.
func PlaceOf(o *live.Object) writeback.Place {
	place := writeback.Place{File: o.Source.File, Document: o.Source.Document, Item: writeback.NotInList}
	if o.Item > 0 {
		place.Item = o.Item - 1
	}
	return place
}

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
