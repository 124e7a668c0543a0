package etcd

import (
	"context"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/kubernetes"
	"go.uber.org/zap"
	"google.golang.org/grpc"
)

// Client is a client of the server whose calls are function calls. It ends with its context, or
// with the server.
func (s *Server) Client(ctx context.Context) *kubernetes.Client {
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(s.running, cancel)
	c := clientv3.NewCtxClient(ctx, clientv3.WithZapLogger(zap.NewNop()))
	c.KV = clientv3.NewKVFromKVClient(direct{s: &keys{s: s.store}}, c)
	c.Watcher = clientv3.NewWatchFromWatchClient(directWatch{&watches{s: s.store}}, c)
	c.Lease = clientv3.NewLeaseFromLeaseClient(directLease{s: &leases{s: s.store}}, c, time.Second)
	context.AfterFunc(ctx, func() {
		forget()
		// Streams of watches do not end with a context.
		_ = c.Watcher.Close()
	})
	out := &kubernetes.Client{Client: c}
	out.Kubernetes = out
	return out
}

// direct is the KV client.
type direct struct{ s *keys }

// Range implements pb.KVClient.
func (d direct) Range(ctx context.Context, r *pb.RangeRequest, _ ...grpc.CallOption) (*pb.RangeResponse, error) {
	return d.s.Range(ctx, r)
}

// Put implements pb.KVClient.
func (d direct) Put(ctx context.Context, r *pb.PutRequest, _ ...grpc.CallOption) (*pb.PutResponse, error) {
	return d.s.Put(ctx, r)
}

// DeleteRange implements pb.KVClient.
func (d direct) DeleteRange(
	ctx context.Context,
	r *pb.DeleteRangeRequest,
	_ ...grpc.CallOption,
) (*pb.DeleteRangeResponse, error) {
	return d.s.DeleteRange(ctx, r)
}

// Txn implements pb.KVClient.
func (d direct) Txn(ctx context.Context, r *pb.TxnRequest, _ ...grpc.CallOption) (*pb.TxnResponse, error) {
	return d.s.Txn(ctx, r)
}

// Compact implements pb.KVClient.
func (d direct) Compact(
	ctx context.Context,
	r *pb.CompactionRequest,
	_ ...grpc.CallOption,
) (*pb.CompactionResponse, error) {
	return d.s.Compact(ctx, r)
}

// RangeStream implements pb.KVClient.
func (d direct) RangeStream(
	_ context.Context,
	r *pb.RangeRequest,
	_ ...grpc.CallOption,
) (grpc.ServerStreamingClient[pb.RangeStreamResponse], error) {
	return directStream{pieces: d.s.pieces(r)}, nil
}

// directStream is the client of a stream of pieces.
type directStream struct {
	grpc.ClientStream
	pieces *pieces
}

// Recv implements grpc.ServerStreamingClient.
func (d directStream) Recv() (*pb.RangeStreamResponse, error) { return d.pieces.next() }

// directLease is the client of leases; kube-apiserver only grants them.
type directLease struct {
	pb.LeaseClient
	s *leases
}

// LeaseGrant implements pb.LeaseClient.
func (d directLease) LeaseGrant(
	ctx context.Context,
	r *pb.LeaseGrantRequest,
	_ ...grpc.CallOption,
) (*pb.LeaseGrantResponse, error) {
	return d.s.LeaseGrant(ctx, r)
}

// LeaseRevoke implements pb.LeaseClient.
func (d directLease) LeaseRevoke(
	ctx context.Context,
	r *pb.LeaseRevokeRequest,
	_ ...grpc.CallOption,
) (*pb.LeaseRevokeResponse, error) {
	return d.s.LeaseRevoke(ctx, r)
}
