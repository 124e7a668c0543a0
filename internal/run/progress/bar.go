// Package progress draws a bar with rate and time left for a person at a
// terminal. It is the only importer of the library that draws it.
package progress

import (
	"bytes"
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

const (
	// delay is how long a run takes before a bar is drawn.
	delay = time.Second
	// interval is the least time between two drawings.
	interval = 100 * time.Millisecond
	// textWidth is room for the text beside the bar, and minWidth for both.
	textWidth = 60
	minWidth  = textWidth + 8
)

// Unit is what a bar counts.
type Unit int

// The units of a bar.
const (
	Objects Unit = iota
	Bytes
)

// Bar is the bar of a run, which may have several phases. A nil Bar does
// nothing. All methods may be called at any time.
type Bar struct {
	w     io.Writer
	width int
	now   func() time.Time
	began time.Time

	mu      sync.Mutex
	bar     *progressbar.ProgressBar // nil between phases
	pending int64
	drawn   time.Time
	visible bool
}

// New gives a bar that is drawn on w, a terminal with so many columns, once a
// second has passed on the clock. On a terminal that is too narrow for it none
// is drawn: the Bar is nil.
func New(w io.Writer, width int, now func() time.Time) *Bar {
	if width < minWidth {
		return nil
	}
	return &Bar{w: w, width: width, now: now, began: now()}
}

// Start begins a phase, named by a verb, of so many units; fewer than 0 where
// nobody knows. It ends the phase before it.
func (b *Bar) Start(verb string, total int64, unit Unit) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hide()
	if total == 0 {
		total = 1
	}
	options := []progressbar.Option{
		progressbar.OptionSetWriter(lines{b}),
		progressbar.OptionSetDescription(verb),
		progressbar.OptionSetWidth(min(30, b.width-textWidth)),
		progressbar.OptionSetTheme(
			progressbar.Theme{Saucer: "=", SaucerHead: ">", SaucerPadding: " ", BarStart: "[", BarEnd: "]"},
		),
		progressbar.OptionShowCount(),
		progressbar.OptionClearOnFinish(),
	}
	if unit == Bytes {
		options = append(options, progressbar.OptionShowBytes(true))
	} else {
		options = append(options, progressbar.OptionShowIts(), progressbar.OptionSetItsString("objects"))
	}
	b.bar = progressbar.NewOptions64(total, options...)
	// Else the rate would be that of what was done before the first drawing in
	// no time at all.
	b.bar.StartWithoutRender()
	b.pending = 0
}

// Add counts units that are done.
func (b *Bar) Add(n int) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending += int64(n)
	now := b.now()
	if b.bar == nil || now.Sub(b.began) < delay || now.Sub(b.drawn) < interval {
		return
	}
	b.drawn = now
	done := b.pending
	b.pending = 0
	// It fails for more than there were to be, as when a file grows: then there
	// is nothing more to draw.
	_ = b.bar.Add64(done)
}

// End ends the last phase.
func (b *Bar) End() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hide()
	b.bar = nil
}

func (b *Bar) hide() {
	if b.visible {
		_ = b.bar.Clear()
		b.visible = false
	}
}

// Around gives a writer to the same terminal, before whose texts the bar is
// taken away. Of a nil Bar it is w.
func (b *Bar) Around(w io.Writer) io.Writer {
	if b == nil {
		return w
	}
	return &beside{b, w}
}

type beside struct {
	bar *Bar
	w   io.Writer
}

// Write writes where the bar was.
func (o *beside) Write(p []byte) (int, error) {
	o.bar.mu.Lock()
	defer o.bar.mu.Unlock()
	o.bar.hide()
	return o.w.Write(p)
}

// lines is where the library draws: only while the bar's lock is held.
type lines struct{ bar *Bar }

// Write draws a line that goes back to its start, cut to the terminal.
func (l lines) Write(p []byte) (int, error) {
	l.bar.visible = true
	line := p
	if end := bytes.TrimRight(p, "\r"); len(end) > l.bar.width {
		line = append(bytes.Clone(end[:l.bar.width]), p[len(end):]...)
	}
	if _, err := l.bar.w.Write(line); err != nil {
		return 0, err
	}
	return len(p), nil
}
