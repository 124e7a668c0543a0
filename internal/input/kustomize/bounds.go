package kustomize

import (
	"context"
	"errors"
	"runtime/metrics"
	"time"
)

// The bounds of a build. What is read has some of its own, but little can be made
// into much: a replacement doubles a value, the next one doubles that.
const (
	maxTime   = 2 * time.Minute
	maxMemory = 2 << 30
	// often is how long a build may go on before its memory is looked at.
	often = 20 * time.Millisecond
)

var (
	errTooLong  = errors.New("the build was given up after two minutes")
	errTooLarge = errors.New("the build was given up, as it takes more than 2 GiB of memory")
)

// bounded is ctx until the bounds of a build are met: its cause says which.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, end := context.WithTimeoutCause(ctx, maxTime, errTooLong)
	ctx, giveUp := context.WithCancelCause(ctx)
	most := held() + maxMemory
	go func() {
		ticker := time.NewTicker(often)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				if held() > most {
					giveUp(errTooLarge)
				}
			}
		}
	}()
	return ctx, func() {
		giveUp(context.Canceled)
		end()
	}
}

// held is how many bytes of memory objects take.
func held() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
