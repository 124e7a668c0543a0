package cmd

import (
	"fmt"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/server"
)

// sharing runs the tests with one server of each set of flags: what the runs of this
// process give it stays apart, as the clusters of one run do.
type sharing struct{ *testing.M }

// Run implements testscript.TestingM.
func (s sharing) Run() int {
	// A quarter of the time went into collecting garbage.
	debug.SetGCPercent(400)
	cluster.NewServer = sharedServer
	return s.M.Run()
}

var shared = struct {
	sync.Mutex
	byFlags map[string]*server.Server
}{byFlags: map[string]*server.Server{}}

// sharedServer is server.New, but that servers of equal flags build what serves a
// built-in kind once.
func sharedServer(options server.Options) (*server.Server, error) {
	shared.Lock()
	defer shared.Unlock()
	flags := fmt.Sprintf(
		"%q %q %q %q %q %v", options.KubernetesVersion, options.ClusterVersion, options.Preset,
		options.Flags, options.Path,
		options.Disguise != nil,
	)
	if shared.byFlags[flags] == nil {
		first, err := server.New(options)
		if err != nil {
			return nil, err
		}
		shared.byFlags[flags] = first
	}
	return shared.byFlags[flags].With(options)
}
