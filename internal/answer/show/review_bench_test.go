package show

import (
	"fmt"
	"io"
	"testing"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/golden"
)

func BenchmarkFormats(b *testing.B) {
	var results []report.Result
	for i := range 1000 {
		r := configured()
		r.Target.Name = fmt.Sprintf("web-%d", i)
		results = append(results, r)
	}
	doc := report.New(golden.RunOf("v1.36.3"), results)
	for _, f := range Formats() {
		b.Run(f.Name, func(b *testing.B) {
			for b.Loop() {
				if err := f.Render(io.Discard, doc, Options{MaxBytes: DefaultMaxBytes}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
