package app

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/report"
)

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
