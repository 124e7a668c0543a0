// Package sampled says how many of its cases a test takes. Only tests import it.
package sampled

import "testing"

// Every is 1, and n with -short: the test takes one of so many cases then, always the
// same, and logs that it does.
func Every(t testing.TB, n int) int {
	t.Helper()
	if !testing.Short() {
		return 1
	}
	t.Logf("-short: one of %d cases is tested", n)
	return n
}

// Of is all of some cases, and with -short one of n.
func Of[T any](t testing.TB, n int, all []T) []T {
	t.Helper()
	var taken []T
	for i, every := 0, Every(t, n); i < len(all); i += every {
		taken = append(taken, all[i])
	}
	return taken
}
