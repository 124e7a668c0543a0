package cluster

import (
	"context"
	"os"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/pool"
	"github.com/ssactl/ssactl/internal/render/safetext"
	"github.com/ssactl/ssactl/internal/report/redact"
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

// readPrepared reads the documents, while another goroutine prepares what serves their kinds.
func (i *Inputs) readPrepared(ctx context.Context, in *input.Flags, options manifest.Options, prepare func(schema.GroupVersionKind)) (manifests, lives []manifest.Document) {
	add, prepared := pool.Beside(prepare)
	defer prepared()
	seen, learn := map[schema.GroupVersionKind]bool{}, options.OnDocument
	options.OnDocument = func(d manifest.Document) {
		learn(d)
		if kind := input.KindOf(d.Identity); !seen[kind] {
			seen[kind] = true
			add(kind)
		}
	}
	return i.readFiles(ctx, in, options)
}

// whenRead has the text of each document learned that is read. One whose reading is put
// off is learned by who reads it (given.definitionsOf): nothing of it is shown before.
func whenRead(learn func(of manifest.Identity, asJSON []byte)) func(manifest.Document) {
	return func(d manifest.Document) {
		if !d.Deferred() {
			learn(d.Identity, d.JSON())
		}
	}
}

// largeText is what takes longer to learn from than to hand over.
const largeText = 64 << 10

// learnBeside gives a learn for the caller, who reads, that does not wait for large texts:
// another goroutine looks through them meanwhile. All is learned when learned comes back,
// and nothing may be shown before. Secrets themselves are learned at once. Masks do not
// depend on the order in which values are learned.
func learnBeside(a *app.App) (learn func(of manifest.Identity, asJSON []byte), learned func()) {
	type text struct {
		of     manifest.Identity
		asJSON []byte
	}
	add, learned := pool.Beside(func(t text) { a.Learn(t.of, t.asJSON) })
	return func(of manifest.Identity, asJSON []byte) {
		if len(asJSON) < largeText || redact.IsSecret(of.APIVersion, of.Kind) {
			a.Learn(of, asJSON)
			return
		}
		add(text{of, asJSON})
	}, learned
}
