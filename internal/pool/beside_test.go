package pool

import (
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
