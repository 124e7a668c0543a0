package pool

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBeside: all is done when wait comes back, in the order of the values.
func TestBeside(t *testing.T) {
	for _, n := range []int{0, 1, 10 * maxBeside} {
		var got []int
		add, wait := Beside(func(i int) { got = append(got, i) })
		for _, i := range numbers(n) {
			add(i)
		}
		wait()
		if diff := cmp.Diff(numbers(n), got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

// TestBesideLate: what is added while wait is called, or after it, is done or dropped, and
// none is done once wait has come back.
func TestBesideLate(t *testing.T) {
	done := 0
	add, wait := Beside(func(int) { done++ })
	var late sync.WaitGroup
	late.Go(func() {
		for i := range 100 * maxBeside {
			add(i)
		}
	})
	add(0)
	wait()
	first := done
	late.Wait()
	add(0)
	if done != first || first == 0 {
		t.Errorf("%d were done when wait came back, then %d", first, done)
	}
}
