package etcd

import (
	"context"
	"errors"
	"io"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
)

// directWatch is the client of watches: a stream of it is a pair of channels.
type directWatch struct{ s *watches }

// Watch implements pb.WatchClient.
func (d directWatch) Watch(ctx context.Context, _ ...grpc.CallOption) (pb.Watch_WatchClient, error) {
	ctx, cancel := context.WithCancel(ctx)
	p := &pipe{
		ctx: ctx, cancel: cancel, requests: make(chan *pb.WatchRequest, 16), answers: make(chan *pb.WatchResponse, 64),
	}
	go func() {
		defer cancel()
		// The client sees the end of the context, whatever the error.
		_ = d.s.Watch(serverEnd{p})
	}()
	return clientEnd{p}, nil
}

// pipe is a stream. The methods that no end of a watch calls are errors.
type pipe struct {
	ctx      context.Context
	cancel   func()
	requests chan *pb.WatchRequest
	answers  chan *pb.WatchResponse
}

var errUnused = errors.New("a stream of watches has no untyped messages")

// Context implements grpc.Stream.
func (p *pipe) Context() context.Context { return p.ctx }

// SendMsg implements grpc.Stream.
func (*pipe) SendMsg(any) error { return errUnused }

// RecvMsg implements grpc.Stream.
func (*pipe) RecvMsg(any) error { return errUnused }

// Header implements grpc.ClientStream.
func (*pipe) Header() (metadata.MD, error) { return metadata.MD{}, nil }

// Trailer implements grpc.ClientStream.
func (*pipe) Trailer() metadata.MD { return metadata.MD{} }

// CloseSend implements grpc.ClientStream.
func (p *pipe) CloseSend() error { p.cancel(); return nil }

// SetHeader implements grpc.ServerStream.
func (*pipe) SetHeader(metadata.MD) error { return nil }

// SendHeader implements grpc.ServerStream.
func (*pipe) SendHeader(metadata.MD) error { return nil }

// SetTrailer implements grpc.ServerStream.
func (*pipe) SetTrailer(metadata.MD) {}

type clientEnd struct{ *pipe }

// Send implements pb.Watch_WatchClient.
func (c clientEnd) Send(r *pb.WatchRequest) error {
	select {
	case c.requests <- r:
		return nil
	case <-c.ctx.Done():
		return io.EOF
	}
}

// Recv implements pb.Watch_WatchClient.
func (c clientEnd) Recv() (*pb.WatchResponse, error) {
	select {
	case r := <-c.answers:
		return r, nil
	case <-c.ctx.Done():
		return nil, c.ctx.Err()
	}
}

type serverEnd struct{ *pipe }

// Send implements pb.Watch_WatchServer.
func (s serverEnd) Send(r *pb.WatchResponse) error {
	select {
	case s.answers <- r:
		return nil
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
}

// Recv implements pb.Watch_WatchServer.
func (s serverEnd) Recv() (*pb.WatchRequest, error) {
	select {
	case r := <-s.requests:
		return r, nil
	case <-s.ctx.Done():
		return nil, io.EOF
	}
}
