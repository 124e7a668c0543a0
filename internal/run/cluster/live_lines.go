package cluster

import (
	"os"
	"sync"
	"sync/atomic"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
)

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
