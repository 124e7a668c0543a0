package cli

import (
	"os"
	"slices"
	"time"

	"github.com/ssactl/ssactl/internal/cli/progress"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/render/safetext"
)

// watched gives an app that draws a progress bar on standard error, where that
// is a terminal and somebody wants to see it. What it writes to the terminal
// and the bar keep out of each other's way.
func (a *app) watched(quiet bool) *app {
	if !a.streams.ErrIsTerminal || quiet {
		return a
	}
	streams := *a.streams
	bar := progress.New(streams.Err.As(safetext.Exact), streams.ErrWidth(), time.Now)
	streams.Err = streams.Err.Around(bar.Around)
	if streams.OutIsTerminal {
		streams.Out = streams.Out.Around(bar.Around)
	}
	return &app{streams: &streams, bar: bar, secrets: a.secrets, configured: a.configured}
}

// showReading has the bar show how much of the inputs is read, until the
// function that it gives is called.
func (a *app) showReading(in *inputFlags) (end func()) {
	if a.bar != nil {
		a.bar.Start("reading", inputBytes(in), progress.Bytes)
	}
	return a.bar.End
}

// inputBytes is how many bytes the inputs have as they are stored; negative
// where nobody knows.
func inputBytes(in *inputFlags) int64 {
	var total int64
	for _, path := range slices.Concat(in.filenames, in.crds, in.live) {
		// What cannot be read is reported when it is read.
		files, _ := manifest.Files(path, in.recursion())
		for _, file := range files {
			info, err := os.Stat(file)
			switch {
			case file == "-":
				return -1
			case err != nil:
			case !info.Mode().IsRegular():
				return -1
			default:
				total += info.Size()
			}
		}
	}
	return total
}
