package run

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/progress"
)

// squares are asked of numbers; three panics. Those up to an even one are
// asked about together, and it is settled before the next is asked about.
type squares struct {
	asked   []int
	settled []int
}

func (s *squares) question() Question[int, int] {
	return Question[int, int]{Verb: "counting", Ask: s.ask, Failed: s.failed, Stretch: s.stretch, Settle: s.settle}
}

func (*squares) failed(_ *cluster.Cluster, n int, _ error) int { return -n }
func (*squares) ask(_ context.Context, _ *cluster.Cluster, n int) int {
	if n == 3 {
		panic("three")
	}
	return n * n
}
func (*squares) stretch(_ *cluster.Cluster, n []int) int {
	return 1 + slices.IndexFunc(n, func(n int) bool { return n%2 == 0 })
}
func (s *squares) settle(_ *cluster.Cluster, n, _ int) { s.settled = append(s.settled, n) }

func (*squares) Begin(*cluster.Cluster, []int) error { return nil }
func (*squares) Close()                              {}
func (*squares) Ahead(*cluster.Cluster) int          { return 5 }

func (s *squares) Take(
	_ *cluster.Cluster,
	_, a int,
) error {
	s.asked = append(s.asked, a)
	return nil
}
func (*squares) End(context.Context, *cluster.Cluster, *report.Interruption) error { return nil }
func (*squares) Conclude(context.Context, *cluster.Cluster) error                  { return nil }

// TestAsk: the answers come in order, that which panics as well, stretch by
// stretch, and the bar reports how far it is.
func TestAsk(t *testing.T) {
	var out bytes.Buffer
	var mu sync.Mutex
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}
	for _, bar := range []*progress.Bar{nil, progress.New(&out, 100, clock)} {
		s := &squares{}
		n, err := Ask(
			context.Background(),
			&cluster.Cluster{Jobs: 3, App: &app.App{Bar: bar}},
			[]int{1, 2, 3, 5, 6},
			s.question(),
			s,
		)
		if n != 5 || err != nil || !slices.Equal(s.asked, []int{1, 4, -3, 25, 36}) || !slices.Equal(s.settled, []int{2, 6}) {
			t.Errorf("%d answers %v, settled %v, %v", n, s.asked, s.settled, err)
		}
	}
	if text := out.String(); !strings.Contains(text, "counting") || !strings.Contains(text, "/5, ") {
		t.Errorf("the bar shows %q", text)
	}
}
