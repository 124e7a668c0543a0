package refusal

import (
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
)

// Mended is a rejected write once the first way to have it accepted was gone; false where no way
// leaves a manifest and a live object to ask about.
func Mended(w engine.Write, list []report.Refusal) (engine.Write, bool) {
	for _, one := range list {
		for _, fix := range one.Fixes {
			switch {
			case fix.Body != nil:
				mended, err := w.Send(fix.Body)
				mended.Locator = w.Locator
				return mended, err == nil
			case fix.Live != nil:
				return w.On(fix.Live), true
			}
		}
	}
	return w, false
}
