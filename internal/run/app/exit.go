package app

import (
	"errors"
	"fmt"

	"github.com/ssactl/ssactl/internal/report"
)

// The exit codes. There are no others.
const (
	ExitDone    = 0 // done, and nothing is refused or found
	ExitNo      = 1 // the answer is no
	ExitTrouble = 2 // no answer could be given
	ExitRefused = 3 // diff only: an object would be refused
)

// Verdict is the error of a run whose answer was printed already.
type Verdict struct{ code int }

func (v Verdict) Error() string { return "the answer is in the output" }

// The verdicts but that all is well.
var (
	ErrNo      = Verdict{ExitNo}
	ErrTrouble = Verdict{ExitTrouble}
	ErrRefused = Verdict{ExitRefused}
	// ErrRisky is no, though everything would be accepted.
	ErrRisky = fmt.Errorf("a risk was met: %w", ErrNo)
)

// ExitCode derives the exit code of a run from its error.
func ExitCode(err error) int {
	var v Verdict
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &v):
		return v.code
	default:
		return ExitTrouble
	}
}

// VerdictOf is the outcome of a simulated write: trouble where no answer could
// be given for something, else no where something would be refused.
func VerdictOf(doc report.Report) error {
	switch {
	case doc.Summary.Failed > 0 || len(doc.Problems) > 0:
		return ErrTrouble
	case doc.Summary.Refused():
		return ErrNo
	}
	return nil
}

// Interruption reports how far a run came; nil for one that came to its end.
func Interruption(answered, total int) *report.Interruption {
	if answered == total {
		return nil
	}
	return &report.Interruption{Answered: answered, Total: total}
}

// InterruptedError is what ends a run that did not come to its end.
func InterruptedError(i *report.Interruption) error {
	if i == nil {
		return nil
	}
	return fmt.Errorf("interrupted after %d of %d objects", i.Answered, i.Total)
}
