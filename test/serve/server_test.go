package serve_test

import (
	"testing"
	"time"

	"github.com/ssactl/ssactl/test/serve/shim"
)

// patience is how long something may take that a server does in a moment.
const patience = time.Minute

// shared is one server for all tests that do not count what there is; nil for none yet.
var shared *shim.TestServer

func server(t *testing.T) *shim.TestServer {
	t.Helper()
	if shared == nil {
		shared = shim.StartTestServerOrDie(t, nil, nil, nil)
	}
	return shared
}

// endShared ends it: the next test that needs it has a new one.
func endShared() {
	if shared != nil {
		shared.TearDownFn()
		shared = nil
	}
}

// eventually waits for what a controller does.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if done() {
			return
		}
	}
	t.Fatalf("no %s after %s", what, patience)
}
