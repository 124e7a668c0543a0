package cli

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/report"
)

// interruption reports how far a run came; nil for one that came to its end.
func interruption(answered, total int) *report.Interruption {
	if answered == total {
		return nil
	}
	return &report.Interruption{Answered: answered, Total: total}
}

// interruptedError is what ends a run that did not come to its end.
func interruptedError(i *report.Interruption) error {
	if i == nil {
		return nil
	}
	return fmt.Errorf("interrupted after %d of %d objects", i.Answered, i.Total)
}
