package told

import (
	"fmt"
	"sync"

	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Calls are those that ssactl makes of its own server while it tells a story: the requests of
// clients, of the other writers in rounds, and of what plans are proven by.
type Calls struct {
	mu   sync.Mutex
	on   bool
	list []call
	seen map[string]bool
}

// call is one with the server that it was made of.
type call struct {
	server  *server.Server
	request api.Request
}

// Watch keeps the calls of servers between Start and Stop, each once.
func (c *Calls) Watch(s *server.Server, r api.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.on {
		return
	}
	r.Trees = nil
	key := fmt.Sprintf("%v %v %v %v %v %v %v %v %v %v %v %q %q", r.Verb, r.Kind, r.Subresource, r.Namespace, r.Name,
		r.Manager, r.UserAgent, r.Force, r.FieldValidation, r.DryRun, r.PropagationPolicy, r.Body, r.Live)
	if !c.seen[key] {
		c.seen[key] = true
		c.list = append(c.list, call{s, r})
	}
}

// Start forgets all calls, and keeps those from now on.
func (c *Calls) Start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on, c.list, c.seen = true, nil, map[string]bool{}
}

// Stop gives the calls since Start, in their order.
func (c *Calls) Stop() []call {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on = false
	return c.list
}
