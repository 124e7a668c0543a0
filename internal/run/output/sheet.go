package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/render/safetext"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// sheet is an output that is being written. After an error it gets nothing more;
// the others do.
type sheet struct {
	Output
	options show.Options
	// text is what a format writes to, on its way to the place.
	text  *safetext.Writer
	place place
	err   error
}

// openSheet opens an output. The caller has to discard it.
func openSheet(a *app.App, o Output, options show.Options) *sheet {
	s := &sheet{Output: o, options: options, place: standardOutput{}}
	if o.file == "" {
		s.text = a.Streams.Out.As(show.ReadingOf(o.Format.Name, options))
		return s
	}
	s.options.Color, s.options.Width, s.options.Fit = false, 0, false
	if o.added {
		s.options.MaxBytes, s.place = stepSummaryBytes, &appendedFile{name: o.file}
	} else if to, err := CreateFile(o.file); err == nil {
		s.place = to
	} else {
		s.place = nowhere{}
		s.do(func() error { return err })
	}
	s.text = safetext.NewWriter(s.place, show.ReadingOf(o.Format.Name, s.options))
	return s
}

// do does something with an output that has not failed yet.
func (s *sheet) do(f func() error) {
	if s.err != nil {
		return
	}
	if s.err = f(); s.err != nil && s.file != "" {
		title := s.Format.Name
		if s.added {
			title = "the step summary"
		}
		s.err = fmt.Errorf("write %s: %w", title, s.err)
	}
}

// render does what makes the text of an output.
func (s *sheet) render(f func() error) {
	s.do(func() error {
		if err := f(); err != nil {
			return fmt.Errorf("render %s: %w", s.Format.Name, err)
		}
		return nil
	})
}

// finish puts an output in its place that is complete.
func (s *sheet) finish() {
	s.do(s.text.Flush)
	s.do(s.place.Commit)
}

// sheetErrors are the errors of outputs. A reader that has gone away is none
// beside others.
func sheetErrors(sheets []*sheet) error {
	var told []error
	var gone error
	for _, s := range sheets {
		switch {
		case s.err == nil:
		case iostreams.IsBrokenPipe(s.err):
			gone = s.err
		default:
			told = append(told, s.err)
		}
	}
	if told == nil {
		return gone
	}
	return errors.Join(told...)
}

// place is where an output goes. It is written, then committed; what is not is
// discarded, if that is possible.
type place interface {
	io.Writer
	Commit() error
	// Discard does nothing after commit.
	Discard()
}

// standardOutput takes what it gets at once: it is written to directly.
type standardOutput struct{ nowhere }

// nowhere takes nothing: the place could not be opened.
type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return 0, fs.ErrClosed }
func (nowhere) Commit() error               { return nil }
func (nowhere) Discard()                    {}

// newFile is a file that gets its new content as a whole or not at all.
type newFile struct{ *atomic.Output }

// CreateFile opens a file that is to get its new content.
func CreateFile(name string) (newFile, error) {
	output, err := atomic.CreateOutput(name)
	return newFile{output}, err
}

func (f newFile) Commit() error { return Unwritten(f.Output.Commit()) }

// appendedFile is a file that is added to.
type appendedFile struct{ name string }

func (f *appendedFile) Write(b []byte) (int, error) {
	file, err := os.OpenFile(f.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return 0, err
	}
	n, err := file.Write(b)
	return n, errors.Join(err, file.Close())
}

func (*appendedFile) Commit() error { return nil }
func (*appendedFile) Discard()      {}
