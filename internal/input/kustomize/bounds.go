package kustomize

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"runtime"
	"runtime/metrics"
	"strings"
	"time"
)

// errOffline is the error of whatever kustomize would fetch.
var errOffline = errors.New("ssactl opens no connection")

// unconnected answers no request.
type unconnected struct{}

// RoundTrip implements http.RoundTripper.
func (unconnected) RoundTrip(*http.Request) (*http.Response, error) { return nil, errOffline }

// offline does work while the process neither connects nor finds a program to
// run, whatever the library tries, and while what the library prints by itself is
// dropped. It is for one goroutine at a time, and for work that no other code of
// the process depends on.
func offline(work func() error) error {
	transport, path, stderr := http.DefaultTransport, os.Getenv("PATH"), os.Stderr
	defer func() {
		http.DefaultTransport, os.Stderr = transport, stderr
		_ = os.Setenv("PATH", path)
		log.SetOutput(stderr)
	}()
	http.DefaultTransport = unconnected{}
	if err := os.Setenv("PATH", ""); err != nil {
		return err
	}
	log.SetOutput(living{})
	if nothing, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		defer func() { _ = nothing.Close() }()
		os.Stderr = nothing
	}
	return work()
}

// living drops what is logged. What would end the process is a panic, which the
// guard around the build turns into its error.
type living struct{}

func (living) Write(p []byte) (int, error) {
	var stack [16]uintptr
	frames := runtime.CallersFrames(stack[:runtime.Callers(1, stack[:])])
	for {
		frame, more := frames.Next()
		if strings.HasPrefix(frame.Function, "log.Fatal") || strings.HasPrefix(frame.Function, "log.(*Logger).Fatal") {
			panic(errors.New(strings.TrimSpace(string(p))))
		}
		if !more {
			return io.Discard.Write(p)
		}
	}
}

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
