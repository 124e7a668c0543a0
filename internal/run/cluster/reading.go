package cluster

import (
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/render/safetext"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/progress"
)

// watched gives an app that draws a progress bar on standard error, where that
// is a terminal and somebody wants to see it. What it writes to the terminal
// and the bar keep out of each other's way.
func watched(a *app.App, quiet bool) *app.App {
	if !a.Streams.ErrIsTerminal || quiet {
		return a
	}
	streams := *a.Streams
	bar := progress.New(streams.Err.As(safetext.Exact), streams.ErrWidth(), time.Now)
	streams.Err = streams.Err.Around(bar.Around)
	if streams.OutIsTerminal {
		streams.Out = streams.Out.Around(bar.Around)
	}
	return &app.App{Streams: &streams, Bar: bar, Secrets: a.Secrets, Configured: a.Configured}
}

// showReading has the bar show how much of the inputs is read, until the
// function that it gives is called.
func showReading(a *app.App, in *input.Flags) (end func()) {
	if a.Bar != nil {
		a.Bar.Start("reading", inputBytes(in), progress.Bytes)
	}
	return a.Bar.End
}

// inputBytes is how many bytes the inputs have as they are stored; negative
// where nobody knows.
func inputBytes(in *input.Flags) int64 {
	var total int64
	for _, path := range slices.Concat(in.Filenames, in.Crds, in.Live) {
		// What cannot be read is reported when it is read.
		files, _ := manifest.Files(path, in.Recursion())
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

// mostReread is how many live objects of a run are read again for their lines.
const mostReread = 20

// rereads counts them.
type rereads struct{ atomic.Int32 }

// liveLines finds the fields of a live object in its file. What is held of the object
// has no lines, so that the file is read again.
type liveLines struct {
	source   manifest.Source
	document func() (manifest.Document, bool)
}

func newLiveLines(d manifest.Document, reread *rereads) liveLines {
	source, item := d.Source, d.Item
	return liveLines{source, sync.OnceValues(func() (manifest.Document, bool) {
		// A pipe cannot be read twice.
		if info, err := os.Stat(source.File); err != nil || !info.Mode().IsRegular() || reread.Add(1) > mostReread {
			return manifest.Document{}, false
		}
		for d, err := range manifest.Read([]string{source.File}, manifest.Options{Want: func(id manifest.Identity) bool { return id == d.Identity }}) {
			if err == nil && d.Source == source && d.Item == item {
				return d, true
			}
		}
		return manifest.Document{}, false
	})}
}

// Line implements report.Locator.
func (l liveLines) Line(path fieldpath.Path) (report.Source, bool) {
	d, ok := l.document()
	if !ok {
		return report.Source{}, false
	}
	return Locator{d}.Line(path)
}

// Text implements report.Locator.
func (l liveLines) Text(int) report.Source { return report.Source(l.source) }
