package kustomize

import (
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"runtime"
	"strings"
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
