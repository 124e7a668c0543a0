package output

import (
	"context"
	"errors"
	"fmt"

	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/files/writeback"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/run/app"
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
		return fmt.Errorf("%w: the next run that reads these files finishes what this one began, unless one of them is changed before", err)
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
		return fmt.Errorf("%w; nothing was written: wait until it is done (another ssactl with --write?), and run the command again", err)
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
