package serve_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ssactl/ssactl/internal/serve/load"
	"github.com/ssactl/ssactl/internal/serve/wire"
)

// eventually waits for what a controller does, a minute at most.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 6000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no %s after a minute", what)
}

// TestUnreadable: a dump that cannot be read has no server.
func TestUnreadable(t *testing.T) {
	s, event := run(t, wire.Spec{Live: []string{filepath.Join("testdata", "unreadable.json")}})
	if event.Failed == nil || !strings.Contains(event.Failed.Message, "unreadable.json") {
		t.Errorf("the event is %+v", event)
	}
	if code := s.end(); code != 1 {
		t.Errorf("the program ended with %d", code)
	}
}

// TestKinds compares what the loader knows of kinds with what a server serves.
func TestKinds(t *testing.T) {
	s := start(t, wire.Spec{})
	_, lists, err := s.typed(t).Discovery().ServerGroupsAndResources()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, list := range lists {
		for _, r := range list.APIResources {
			if strings.Contains(r.Name, "/") || !strings.Contains(strings.Join(r.Verbs, " "), "list") {
				continue
			}
			seen++
			if scoped := load.Namespaced(list.GroupVersion, r.Kind); scoped != r.Namespaced {
				t.Errorf("%s %s: namespaced is %v, want %v", list.GroupVersion, r.Kind, scoped, r.Namespaced)
			}
			if resource := load.Resource(list.GroupVersion, r.Kind); resource != r.Name {
				t.Errorf("%s %s: the resource is %s, want %s", list.GroupVersion, r.Kind, resource, r.Name)
			}
		}
	}
	if seen < 50 {
		t.Errorf("the server has %d resources only", seen)
	}
}
