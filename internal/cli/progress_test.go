package cli

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ssactl/ssactl/internal/cli/progress"
)

// TestEach: the work comes in order, that which panics as well, and the bar tells
// how far it is.
func TestEach(t *testing.T) {
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
		got := each(context.Background(), &cluster{jobs: 3, bar: bar}, "counting", 5, func(_ context.Context, i int) int {
			if i == 3 {
				panic("three")
			}
			return i * i
		}, func(i int, err error) int { return -i })
		if !slices.Equal(got, []int{0, 1, 4, -3, 16}) {
			t.Errorf("got %v", got)
		}
	}
	if text := out.String(); !strings.Contains(text, "counting") || !strings.Contains(text, "/5, ") {
		t.Errorf("the bar shows %q", text)
	}
}
