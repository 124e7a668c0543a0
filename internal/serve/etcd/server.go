package etcd

import (
	"context"
	"math"
	"net"
	"sync"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/test/bufconn"

	"github.com/ssactl/ssactl/internal/serve/store"
)

// version is what the server says it is: kube-apiserver asks for features by it, and this one
// has watch progress on request.
const version = "3.6.5"

// progressEvery is how often idle watches hear how far they are, as Kubernetes sets it for
// etcd (--watch-progress-notify-interval).
const progressEvery = 5 * time.Second

// Server serves a store.
type Server struct {
	store    *store.Store
	listener *bufconn.Listener
	grpc     *grpc.Server
	stop     chan struct{}
	ended    sync.WaitGroup
	// running ends with the server.
	running context.Context
	close   func()
}

// Serve begins to serve a store. Progress is how often idle watches hear how far they are; 0
// means every five seconds.
func Serve(s *store.Store, progress time.Duration) *Server {
	if progress == 0 {
		progress = progressEvery
	}
	srv := &Server{store: s, listener: bufconn.Listen(32 << 10), stop: make(chan struct{})}
	srv.grpc = grpc.NewServer(
		grpc.MaxRecvMsgSize(math.MaxInt32), grpc.MaxSendMsgSize(math.MaxInt32),
		grpc.MaxConcurrentStreams(math.MaxUint32),
		grpc.KeepaliveEnforcementPolicy(
			keepalive.EnforcementPolicy{MinTime: time.Second, PermitWithoutStream: true},
		),
		grpc.WriteBufferSize(16<<10), grpc.ReadBufferSize(16<<10),
	)
	pb.RegisterKVServer(srv.grpc, &keys{s: s})
	pb.RegisterWatchServer(srv.grpc, &watches{s: s})
	pb.RegisterLeaseServer(srv.grpc, &leases{s: s})
	pb.RegisterMaintenanceServer(srv.grpc, &maintenance{s: s})
	srv.ended.Go(func() { _ = srv.grpc.Serve(srv.listener) })
	srv.ended.Go(func() { s.Tend(progress, srv.stop) })
	running, end := context.WithCancel(context.Background())
	srv.running = running
	srv.close = sync.OnceFunc(func() {
		end()
		close(srv.stop)
		srv.grpc.Stop()
		srv.listener.Close()
		srv.ended.Wait()
	})
	return srv
}

// Dial connects to the server, whatever the address.
func (s *Server) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	return s.listener.DialContext(ctx)
}

// Compacted is the revision before which the store has no history.
func (s *Server) Compacted() int64 { return s.store.Compacted() }

// Bytes are those of the values of all keys that begin with a prefix.
func (s *Server) Bytes(prefix string) int64 {
	span := store.Span{Key: []byte(prefix), End: []byte(clientv3.GetPrefixRangeEnd(prefix))}
	return s.store.Size(span)
}

// Close ends all connections, and returns when nothing of the server runs any more.
func (s *Server) Close() { s.close() }

// header is that of every answer.
func header(revision int64) *pb.ResponseHeader {
	return &pb.ResponseHeader{ClusterId: 1, MemberId: 1, Revision: revision, RaftTerm: 1}
}

type maintenance struct {
	pb.UnimplementedMaintenanceServer
	s *store.Store
}

// Status implements pb.MaintenanceServer.
func (m *maintenance) Status(context.Context, *pb.StatusRequest) (out *pb.StatusResponse, err error) {
	err = m.s.View(func(v store.View) error {
		out = &pb.StatusResponse{Header: header(v.Revision()), Version: version, DbSize: v.Bytes(), Leader: 1}
		return nil
	})
	return out, err
}

type leases struct {
	pb.UnimplementedLeaseServer
	s *store.Store
}

// LeaseGrant implements pb.LeaseServer.
func (l *leases) LeaseGrant(_ context.Context, r *pb.LeaseGrantRequest) (*pb.LeaseGrantResponse, error) {
	id, err := l.s.Grant(r.ID, r.TTL)
	if err != nil {
		return nil, err
	}
	out := &pb.LeaseGrantResponse{ID: id, TTL: r.TTL}
	l.s.At(func(revision int64) { out.Header = header(revision) })
	return out, nil
}

// LeaseRevoke implements pb.LeaseServer.
func (l *leases) LeaseRevoke(_ context.Context, r *pb.LeaseRevokeRequest) (*pb.LeaseRevokeResponse, error) {
	if err := l.s.Revoke(r.ID); err != nil {
		return nil, err
	}
	out := &pb.LeaseRevokeResponse{}
	l.s.At(func(revision int64) { out.Header = header(revision) })
	return out, nil
}
