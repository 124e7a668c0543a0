package pool

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/guard"
)

func numbers(n int) []int {
	var out []int
	for i := range n {
		out = append(out, i)
	}
	return out
}

// Whatever the workers do, values come in the order of their numbers.
func TestRunKeepsOrder(t *testing.T) {
	for _, o := range []Options{{}, {Jobs: 1}, {Jobs: 2, Window: 2}, {Jobs: 8, Window: 3}, {Jobs: 16, Window: 64}} {
		for _, n := range []int{0, 1, 2, 7, 500} {
			t.Run(fmt.Sprintf("%d of %d in %d", o.Jobs, n, o.Window), func(t *testing.T) {
				var got []int
				taken, err := Run(context.Background(), n, o,
					func(_ context.Context, i int) int { return i * i },
					func(i, square int) error {
						if square != i*i {
							t.Errorf("%d got the value %d", i, square)
						}
						got = append(got, i)
						return nil
					})
				if taken != n || err != nil {
					t.Errorf("took %d, %v", taken, err)
				}
				if diff := cmp.Diff(numbers(n), got); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			})
		}
	}
}

// No more is begun than the window has room for while the first is not done.
func TestRunWaitsForTheSlowest(t *testing.T) {
	const window = 5
	var begun atomic.Int32
	first := make(chan struct{})
	o := Options{Jobs: 3, Window: window}
	_, err := Run(context.Background(), 100, o,
		func(_ context.Context, i int) int {
			if begun.Add(1) == window {
				close(first)
			}
			if i == 0 {
				<-first
			}
			return i
		},
		func(i, _ int) error {
			if i == 0 && begun.Load() > window {
				t.Errorf("%d were begun before the first was done", begun.Load())
			}
			return nil
		})
	if err != nil || begun.Load() != 100 {
		t.Errorf("%d were begun, %v", begun.Load(), err)
	}
}

func TestRunStops(t *testing.T) {
	refused := errors.New("no more")
	ctx, cancel := context.WithCancel(context.Background())
	cases := []struct {
		name string
		take func(i int) error
		want error
	}{
		{"at an error", func(i int) error {
			if i == 10 {
				return refused
			}
			return nil
		}, refused},
		{"at an interrupt", func(i int) error {
			if i == 9 {
				cancel()
			}
			return nil
		}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []int
			o := Options{Jobs: 4, Window: 8}
			taken, err := Run(ctx, 1000, o, func(_ context.Context, i int) int { return i }, func(i, _ int) error {
				err := c.take(i)
				if err == nil {
					got = append(got, i)
				}
				return err
			})
			if !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			if taken < 10 || taken > 10+o.Window+1 || taken != len(got) {
				t.Errorf("took %d, which are %d", taken, len(got))
			}
			if diff := cmp.Diff(numbers(taken), got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// all gives what is taken of a run.
func all(ctx context.Context, n, jobs int, work func(context.Context, int) int) []int {
	var values []int
	_, _ = Run(ctx, n, Options{Jobs: jobs, Window: n}, work, func(_, v int) error {
		values = append(values, v)
		return nil
	})
	return values
}

// What is begun at an interrupt is finished, and does not see the interrupt.
func TestRunFinishesWhatIsBegun(t *testing.T) {
	const jobs = 4
	ctx, cancel := context.WithCancel(context.Background())
	interrupted := make(chan struct{})
	got := all(ctx, 1000, jobs, func(ctx context.Context, i int) int {
		switch {
		case i == 10:
			cancel()
			close(interrupted)
		case i > 10:
			<-interrupted
		}
		if err := ctx.Err(); err != nil {
			t.Errorf("%d is told: %v", i, err)
		}
		return i
	})
	if len(got) < 11 || len(got) > 11+2*jobs {
		t.Errorf("%d are done", len(got))
	}
	if diff := cmp.Diff(numbers(len(got)), got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// What is begun at an interrupt and does not end is left, with what comes after it.
func TestRunLeavesWhatHangs(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	hang := make(chan struct{})
	defer close(hang)
	got := all(ctx, 10, 2, func(_ context.Context, i int) int {
		if i == 3 {
			cancel()
			<-hang
		}
		return i
	})
	if diff := cmp.Diff(numbers(3), got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A run that was interrupted before it began answers nothing.
func TestRunInterruptedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	taken, err := Run(
		ctx,
		10,
		Options{Jobs: 2},
		func(_ context.Context, i int) int { return i },
		func(int, int) error { return nil },
	)
	if taken != 0 || err != nil {
		t.Errorf("took %d, %v", taken, err)
	}
}

// TestPanicComesUp: what panics on another goroutine does so on the caller's,
// who can guard against it.
func TestPanicComesUp(t *testing.T) {
	boom := func() { panic("boom") }
	for name, run := range map[string]func() error{
		"Run":    func() error { all(t.Context(), 3, 2, func(context.Context, int) int { boom(); return 0 }); return nil },
		"Within": func() error { Within(t.Context(), boom); return nil },
		"Beside": func() error {
			add, wait := Beside(func(int) { boom() })
			for range 3 * maxBeside {
				add(0)
			}
			wait()
			return nil
		},
	} {
		var p *guard.Error
		if err := guard.Do(run); !errors.As(err, &p) || p.Cause != "boom" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
