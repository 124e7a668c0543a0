package server

import (
	"fmt"
	"sync"
	"testing"
)

var shared = struct {
	sync.Mutex
	byFlags map[string]*Server
}{byFlags: map[string]*Server{}}

// newServer is New, but that servers of equal flags build what serves a built-in kind
// once.
func newServer(t testing.TB, options Options) *Server {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	flags := fmt.Sprintf("%q %q %q %v", options.KubernetesVersion, options.Flags, options.Path, options.Disguise != nil)
	if shared.byFlags[flags] == nil {
		first, err := New(options)
		if err != nil {
			t.Fatal(err)
		}
		shared.byFlags[flags] = first
	}
	server, err := shared.byFlags[flags].With(options)
	if err != nil {
		t.Fatal(err)
	}
	return server
}
