package cli

import (
	"errors"
	"fmt"

	"github.com/ssactl/ssactl/internal/report"
)

// The exit codes. There are no others.
const (
	exitDone    = 0 // done, and nothing is refused or found
	exitNo      = 1 // the answer is no
	exitTrouble = 2 // no answer could be given
	exitRefused = 3 // diff only: an object would be refused
)

// verdict is the error of a run whose answer was printed already.
type verdict struct{ code int }

func (v verdict) Error() string { return "the answer is in the output" }

var (
	errNo      = verdict{exitNo}
	errTrouble = verdict{exitTrouble}
	errRefused = verdict{exitRefused}
	// errRisky is no, though everything would be accepted.
	errRisky = fmt.Errorf("a risk was met: %w", errNo)
)

// exitCode derives the exit code of a run from its error.
func exitCode(err error) int {
	var v verdict
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &v):
		return v.code
	default:
		return exitTrouble
	}
}

// verdictOf is the outcome of a simulated write: trouble where no answer could
// be given for something, else no where something would be refused.
func verdictOf(doc report.Report) error {
	switch {
	case doc.Summary.Failed > 0 || len(doc.Problems) > 0:
		return errTrouble
	case doc.Summary.Refused():
		return errNo
	}
	return nil
}
