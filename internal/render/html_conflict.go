package render

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// conflictView is one field with everyone who holds it.
type conflictView struct {
	Field, Place   string
	Yours, Live    string
	AppliedMissing bool
	LiveMissing    bool
	Holders        []holderView
}

// holderView is who holds a field, and since when.
type holderView struct {
	writerView
	APIVersion, When string
}

// Conflicts gives one row for each field, in the report's order.
func (v *objectView) Conflicts() []conflictView {
	var out []conflictView
	for i, c := range v.r.Conflicts {
		if i == 0 || v.r.Conflicts[i-1].Field != c.Field {
			out = append(out, conflictView{
				Field: visible(c.Field), Place: place(c.Source),
				Yours: valueText(c.Applied, c.AppliedMissing), Live: valueText(c.Live, c.LiveMissing),
				AppliedMissing: c.AppliedMissing, LiveMissing: c.LiveMissing,
			})
		}
		last := &out[len(out)-1]
		last.Holders = append(last.Holders, holderView{
			writerView: v.cast.writer(c.Writer, v.o), APIVersion: visible(c.APIVersion), When: since(c.Time, v.o.Now),
		})
	}
	return out
}

func valueText(v any, missing bool) string {
	if missing {
		return "(not set)"
	}
	return scalar(v)
}

// forcedView is the same apply with force.
type forcedView struct {
	Refused   bool
	Outcome   string
	Message   string
	Changes   []changeView
	Transfers []transferView
}

// Forced is nil unless the report tells what force would do.
func (v *objectView) Forced() *forcedView {
	f := v.r.Forced
	if f == nil {
		return nil
	}
	view := &forcedView{Refused: f.Outcome.Refused(), Outcome: visible(strings.ToLower(string(f.Outcome)))}
	if f.Status != nil {
		view.Message = visibleLines(f.Status.Message)
	}
	if view.Refused {
		return view
	}
	view.Changes = changeViews(f.Changes)
	view.Transfers = v.cast.transfers(slices.DeleteFunc(slices.Clone(f.Transfers), func(t report.Transfer) bool {
		return t.Kind != report.Overridden
	}))
	return view
}

// Command simulates each way out.
func (v *objectView) Command() string { return explainCommand(*v.r, v.o) }
