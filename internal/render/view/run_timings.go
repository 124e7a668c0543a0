package view

import (
	"fmt"
	"time"

	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/render/words"
)

// timings name the objects that cost most.
func timings(t *stream.Timings) []model.Block {
	if t == nil {
		return nil
	}
	table := func(title, column string, list []stream.Timing, cost func(stream.Timing) string) model.Section {
		t := model.Table{Columns: []model.Column{{Title: column, Right: true}, {Title: "OBJECT"}}}
		for _, o := range list {
			t.Rows = append(t.Rows, []model.Text{model.Say(cost(o)), model.Say(words.Object(o.Target) + words.Where(o.Target))})
		}
		return part(title, t)
	}
	return []model.Block{
		table("Slowest objects", "TIME", t.Slowest, func(o stream.Timing) string { return o.Took.Round(10 * time.Microsecond).String() }),
		table("Largest objects (manifest and live object)", "SIZE", t.Largest, func(o stream.Timing) string { return sizeText(o.Bytes) }),
	}
}

// sizeText is a number of bytes in the unit that fits.
func sizeText(n int) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d B", n)
	case n < 10_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
