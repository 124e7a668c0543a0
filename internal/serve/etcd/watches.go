package etcd

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"

	"github.com/ssactl/ssactl/internal/serve/store"
)

// batch is how many events one answer has at most, those of one revision aside.
const batch = 1000

type watches struct {
	pb.UnimplementedWatchServer
	s *store.Store
}

// Watch implements pb.WatchServer: one stream with any number of watches.
func (w *watches) Watch(srv pb.Watch_WatchServer) error {
	ctx, cancel := context.WithCancel(srv.Context())
	st := &stream{s: w.s, wake: make(chan struct{}, 1), watches: map[int64]*store.Watch{}}
	var sending sync.WaitGroup
	sending.Go(func() {
		defer cancel()
		st.send(ctx, srv)
	})
	defer sending.Wait()
	defer cancel()
	defer st.end()
	for {
		request, err := srv.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch r := request.RequestUnion.(type) {
		case *pb.WatchRequest_CreateRequest:
			st.create(r.CreateRequest)
		case *pb.WatchRequest_CancelRequest:
			st.cancel(r.CancelRequest.WatchId)
		case *pb.WatchRequest_ProgressRequest:
			w.s.At(func(revision int64) { st.push(&pb.WatchResponse{Header: header(revision), WatchId: -1}) })
		}
	}
}

// stream is what is to be sent on one stream, and its watches. Only the goroutine that receives
// adds and removes watches.
type stream struct {
	s       *store.Store
	watches map[int64]*store.Watch
	next    int64

	mu    sync.Mutex
	queue []*pb.WatchResponse
	wake  chan struct{}
}

func (st *stream) create(r *pb.WatchCreateRequest) {
	id := st.next
	st.next++
	w := &store.Watch{
		Span: store.Span{Key: r.Key, End: r.RangeEnd}, From: r.StartRevision,
		NoPuts:    slices.Contains(r.Filters, pb.WatchCreateRequest_NOPUT),
		NoDeletes: slices.Contains(r.Filters, pb.WatchCreateRequest_NODELETE),
		Begun: func(revision int64) {
			st.push(&pb.WatchResponse{Header: header(revision), WatchId: id, Created: true})
		},
		Changed: func(c store.Change) { st.change(id, c, r.PrevKv) },
	}
	if r.ProgressNotify {
		w.Progress = func(revision int64) { st.progress(id, revision) }
	}
	if compacted := st.s.Watch(w); compacted != 0 {
		st.push(&pb.WatchResponse{
			Header: header(compacted), WatchId: id, Canceled: true, CompactRevision: compacted,
		})
		return
	}
	st.watches[id] = w
}

func (st *stream) cancel(id int64) {
	if w := st.watches[id]; w != nil {
		st.s.Unwatch(w)
		delete(st.watches, id)
	}
	st.s.At(func(revision int64) {
		st.push(&pb.WatchResponse{Header: header(revision), WatchId: id, Canceled: true})
	})
}

func (st *stream) end() {
	for _, w := range st.watches {
		st.s.Unwatch(w)
	}
}

// change queues a change: with those that wait before it for the same watch. The events of one
// revision are never in two answers, since a client goes on after the revision of the last.
func (st *stream) change(id int64, c store.Change, previous bool) {
	event := &mvccpb.Event{Type: c.Type, Kv: c.Pair}
	if previous {
		event.PrevKv = c.Before
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	if n := len(st.queue); n > 0 {
		last := st.queue[n-1]
		joins := len(last.Events) > 0 && last.WatchId == id
		if joins && (len(last.Events) < batch || last.Header.Revision == c.Revision) {
			last.Events = append(last.Events, event)
			last.Header.Revision = c.Revision
			return
		}
	}
	st.add(&pb.WatchResponse{Header: header(c.Revision), WatchId: id, Events: []*mvccpb.Event{event}})
}

// progress tells a watch how far it is, unless it is about to hear more.
func (st *stream) progress(id, revision int64) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if len(st.queue) == 0 {
		st.add(&pb.WatchResponse{Header: header(revision), WatchId: id})
	}
}

func (st *stream) push(r *pb.WatchResponse) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.add(r)
}

func (st *stream) add(r *pb.WatchResponse) {
	st.queue = append(st.queue, r)
	select {
	case st.wake <- struct{}{}:
	default:
	}
}

func (st *stream) take() []*pb.WatchResponse {
	st.mu.Lock()
	defer st.mu.Unlock()
	queue := st.queue
	st.queue = nil
	return queue
}

// send sends what is queued until the stream ends.
func (st *stream) send(ctx context.Context, srv pb.Watch_WatchServer) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-st.wake:
		}
		for queue := st.take(); len(queue) > 0; queue = st.take() {
			for _, r := range queue {
				if srv.Send(r) != nil {
					return
				}
			}
		}
	}
}
