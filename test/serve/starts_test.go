package serve_test

import (
	"bytes"
	"regexp"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/ssactl/ssactl/test/serve/shim"
)

// starts is how many servers TestStarts starts and ends.
const starts = 10

// perServer bounds the memory that an ended server leaves.
const perServer = 8 << 20

// lasting are functions whose goroutines a process has once, whatever its servers.
var lasting = []string{
	// The health check of the log (apiserver/pkg/server/healthz).
	"k8s.io/apimachinery/pkg/util/wait.Forever",
	"runtime/pprof.",
	"testing.",
	"os/signal.",
}

// TestStarts: ten servers in one process, one after the other, leave no goroutine beyond those
// that are listed, and their memory is freed.
func TestStarts(t *testing.T) {
	endShared()
	// Servers of tests before this one may run as long as the process.
	before := goroutines(t)
	var first uint64
	for i := range starts {
		once(t)
		if i == 2 {
			// What the process makes once is there by now.
			first = inUse()
		}
	}
	var left []string
	for range 100 {
		left = slices.DeleteFunc(goroutines(t), func(stack string) bool { return slices.Contains(before, stack) })
		if len(left) == 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if len(left) > 0 {
		t.Errorf("%d goroutines are left:\n%s", len(left), strings.Join(left, "\n\n"))
	}
	last := inUse()
	t.Logf("memory in use after 3 servers: %d MB, after %d: %d MB", first>>20, starts, last>>20)
	if grown := int64(last) - int64(first); grown > perServer*(starts-3) {
		t.Errorf("%d servers leave %d MB", starts-3, grown>>20)
	}
}

// once starts a server, asks it, and ends it.
func once(t *testing.T) {
	s := shim.StartTestServerOrDie(t, nil, nil, nil)
	client := kubernetes.NewForConfigOrDie(s.ClientConfig)
	if _, err := client.CoreV1().Namespaces().Get(t.Context(), "default", metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
	watch, err := client.CoreV1().ConfigMaps("").Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s.TearDownFn()
	watch.Stop()
}

func inUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// goroutines are the stacks of those that are not of lasting functions.
func goroutines(t *testing.T) []string {
	var text bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&text, 1); err != nil {
		t.Fatal(err)
	}
	all := regexp.MustCompile(`(?m)^\d+ @ .*\n`).Split(text.String(), -1)[1:]
	return slices.DeleteFunc(all, func(stack string) bool {
		return slices.ContainsFunc(lasting, func(name string) bool { return strings.Contains(stack, name) })
	})
}
