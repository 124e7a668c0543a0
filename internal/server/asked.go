package server

import "context"

type serverKey struct{}

// withServer says which server answers a call.
func withServer(ctx context.Context, s *Server) context.Context {
	return context.WithValue(ctx, serverKey{}, s)
}

// serverIn is the server that answers a call. Storages ask it for what is of its cluster,
// since servers of several have them.
func serverIn(ctx context.Context) *Server { return ctx.Value(serverKey{}).(*Server) }
