package server

import (
	"context"
	"io"
	"sync"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

var silenceOnce sync.Once

// silence keeps the server's log and its error handlers from writing to the
// user's terminal. What matters of them is in the answers.
func silence() {
	silenceOnce.Do(func() {
		klog.LogToStderr(false)
		klog.SetOutput(io.Discard)
		klog.SetLogger(klog.New(nil))
		utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{
			func(context.Context, error, string, ...any) {},
		}
	})
}
