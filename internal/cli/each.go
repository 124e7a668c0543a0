package cli

import (
	"context"
	"sync"
	"sync/atomic"
)

// each runs work for the numbers from 0 up to n, some at once, in the order of
// the numbers. At an interrupt it begins no further ones, and gives the error.
func each(ctx context.Context, jobs, n int, work func(i int)) error {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(jobs, n) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				work(i)
			}
		})
	}
	workers.Wait()
	return ctx.Err()
}
