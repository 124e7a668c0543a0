package fastapply

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/pool"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Server is a server whose plain applies are answered here. It is safe for
// concurrent use.
type Server struct {
	*server.Server
	kinds sync.Map // of schema.GroupVersionKind to *kind
}

// Around gives a server that answers as the given one does, and plain applies
// faster.
func Around(s *server.Server) *Server { return &Server{Server: s} }

// kind is what is known of a kind.
type kind struct {
	merge    typed.ParseableType
	root     *mergeType
	sets     knownSets
	restored restored
}

func (s *Server) kind(gvk schema.GroupVersionKind) *kind {
	k, ok := s.kinds.Load(gvk)
	if !ok {
		merge := s.Types(gvk).ParseableType
		k, _ = s.kinds.LoadOrStore(gvk, &kind{merge: merge, root: mergeTypeOf(merge)})
	}
	return k.(*kind)
}

// Define replaces a CustomResourceDefinition. No call may run meanwhile.
func (s *Server) Define(crd []byte) error {
	s.kinds.Clear()
	return s.Server.Define(crd)
}

// Do answers one call.
func (s *Server) Do(ctx context.Context, call api.Request) (api.Response, error) {
	if response, ok := s.plain(ctx, call); ok {
		return response, nil
	}
	return s.Server.Do(ctx, call)
}

// limit is the processor time of one plain apply, which takes less than a millisecond
// but for hostile values: those are left to the server, which has its own limit.
const limit = 5 * time.Second

// plain answers a plain apply; false for all others, for a panic, and for what takes
// too long.
func (s *Server) plain(ctx context.Context, call api.Request) (api.Response, bool) {
	e, ok := s.Endpoint(call)
	if !ok {
		return api.Response{}, false
	}
	ctx, end := pool.Limited(ctx, limit)
	defer end()
	var response api.Response
	var plain bool
	done, err := guard.Value(func() (bool, error) {
		return pool.Within(ctx, func() { response, plain = s.answer(ctx, e, call) }), nil
	})
	if !done || err != nil {
		return api.Response{}, false
	}
	return response, plain
}

func (s *Server) answer(ctx context.Context, e *server.Endpoint, call api.Request) (api.Response, bool) {
	a := apply{call: call, endpoint: e, kind: s.kind(call.Kind)}
	if !a.read() || !a.identified() || !a.ordinary() {
		return api.Response{}, false
	}
	if !a.readEntries() {
		return api.Response{}, false
	}
	a.bare = bare(a.live)
	var ok bool
	if a.overlay, ok = newOverlay(a.kind.root, a.config, a.bare, a.last); !ok {
		return api.Response{}, false
	}
	return a.update(ctx)
}
