package cli

import (
	"os"
	"slices"
	"time"

	"github.com/ssactl/ssactl/internal/manifest"
	"github.com/ssactl/ssactl/internal/progress"
)

// watched gives an app that draws a progress bar on standard error, where that
// is a terminal and somebody wants to see it. What it writes to the terminal
// and the bar keep out of each other's way.
func (a *app) watched(f *outputFlags) *app {
	if !a.streams.ErrIsTerminal || f.quiet {
		return a
	}
	streams := *a.streams
	bar := progress.New(streams.Err, streams.ErrWidth(), time.Now)
	streams.Err = bar.Around(streams.Err)
	if streams.OutIsTerminal {
		streams.Out = bar.Around(streams.Out)
	}
	return &app{streams: &streams, bar: bar}
}

// inputBytes is how many bytes the inputs have as they are stored; negative
// where nobody knows.
func inputBytes(in *inputFlags) int64 {
	var total int64
	for _, path := range slices.Concat(in.filenames, in.crds, in.live) {
		// What cannot be read is told when it is read.
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
