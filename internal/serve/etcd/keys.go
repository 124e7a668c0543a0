package etcd

import (
	"bytes"
	"cmp"
	"context"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/ssactl/ssactl/internal/serve/store"
)

type keys struct {
	pb.UnimplementedKVServer
	s *store.Store
}

// The most bytes of a request that etcd takes (its --max-request-bytes), and that its client
// sends (client/v3/options.go).
const (
	largestTaken = 3 << 19
	largestSent  = 2 << 20
)

// fits is the error of etcd, or of its client, for a request that is too large: a client whose
// calls are function calls does not look.
func fits(r proto.Message) error {
	switch size := proto.Size(r); {
	case size > largestSent:
		return status.Errorf(codes.ResourceExhausted, "trying to send message larger than max (%d vs. %d)", size, largestSent)
	case size > largestTaken:
		return rpctypes.ErrGRPCRequestTooLarge
	}
	return nil
}

// Range implements pb.KVServer.
func (k *keys) Range(_ context.Context, r *pb.RangeRequest) (out *pb.RangeResponse, err error) {
	err = k.s.View(func(v store.View) error {
		out, err = ranged(v, r)
		return err
	})
	return out, err
}

func ranged(v store.View, r *pb.RangeRequest) (*pb.RangeResponse, error) {
	found, err := v.Range(store.Query{
		Span: store.Span{Key: r.Key, End: r.RangeEnd}, Revision: r.Revision, Limit: r.Limit,
		KeysOnly: r.KeysOnly, CountOnly: r.CountOnly,
	})
	if err != nil {
		return nil, err
	}
	return &pb.RangeResponse{
		Header: header(v.Revision()), Kvs: found.Pairs, More: found.More, Count: found.Count,
	}, nil
}

// Put implements pb.KVServer.
func (k *keys) Put(_ context.Context, r *pb.PutRequest) (out *pb.PutResponse, err error) {
	if err := fits(r); err != nil {
		return nil, err
	}
	err = k.s.Update(func(u *store.Update) error {
		out, err = put(u, r)
		return err
	})
	return out, err
}

func put(u *store.Update, r *pb.PutRequest) (*pb.PutResponse, error) {
	before, err := u.Put(string(r.Key), r.Value, r.Lease)
	if err != nil {
		return nil, err
	}
	out := &pb.PutResponse{Header: header(u.Revision())}
	if r.PrevKv {
		out.PrevKv = before
	}
	return out, nil
}

// DeleteRange implements pb.KVServer.
func (k *keys) DeleteRange(_ context.Context, r *pb.DeleteRangeRequest) (out *pb.DeleteRangeResponse, err error) {
	err = k.s.Update(func(u *store.Update) error {
		out = deleteRange(u, r)
		return nil
	})
	return out, err
}

func deleteRange(u *store.Update, r *pb.DeleteRangeRequest) *pb.DeleteRangeResponse {
	before := u.DeleteSpan(store.Span{Key: r.Key, End: r.RangeEnd})
	out := &pb.DeleteRangeResponse{Header: header(u.Revision()), Deleted: int64(len(before))}
	if r.PrevKv {
		out.PrevKvs = before
	}
	return out
}

// Compact implements pb.KVServer.
func (k *keys) Compact(_ context.Context, r *pb.CompactionRequest) (*pb.CompactionResponse, error) {
	if err := k.s.Compact(r.Revision); err != nil {
		return nil, err
	}
	out := &pb.CompactionResponse{}
	k.s.At(func(revision int64) { out.Header = header(revision) })
	return out, nil
}

// Txn implements pb.KVServer.
func (k *keys) Txn(_ context.Context, r *pb.TxnRequest) (out *pb.TxnResponse, err error) {
	if err := fits(r); err != nil {
		return nil, err
	}
	err = k.s.Update(func(u *store.Update) error {
		out, err = transaction(u, r)
		return err
	})
	return out, err
}

func transaction(u *store.Update, r *pb.TxnRequest) (*pb.TxnResponse, error) {
	out, ops := &pb.TxnResponse{Succeeded: true}, r.Success
	for _, c := range r.Compare {
		holds, err := compare(u.View, c)
		if err != nil {
			return nil, err
		}
		if !holds {
			out.Succeeded, ops = false, r.Failure
			break
		}
	}
	for _, op := range ops {
		done, err := do(u, op)
		if err != nil {
			return nil, err
		}
		out.Responses = append(out.Responses, done)
	}
	out.Header = header(u.Revision())
	return out, nil
}

func do(u *store.Update, op *pb.RequestOp) (*pb.ResponseOp, error) {
	switch r := op.Request.(type) {
	case *pb.RequestOp_RequestRange:
		out, err := ranged(u.View, r.RequestRange)
		return &pb.ResponseOp{Response: &pb.ResponseOp_ResponseRange{ResponseRange: out}}, err
	case *pb.RequestOp_RequestPut:
		out, err := put(u, r.RequestPut)
		return &pb.ResponseOp{Response: &pb.ResponseOp_ResponsePut{ResponsePut: out}}, err
	case *pb.RequestOp_RequestDeleteRange:
		out := deleteRange(u, r.RequestDeleteRange)
		return &pb.ResponseOp{Response: &pb.ResponseOp_ResponseDeleteRange{ResponseDeleteRange: out}}, nil
	}
	return nil, status.Errorf(codes.Unimplemented, "a transaction of %T", op.Request)
}

// compare reports whether a condition of a transaction holds. A key that does not exist has
// zeros and no value.
func compare(v store.View, c *pb.Compare) (bool, error) {
	if len(c.RangeEnd) > 0 {
		return false, status.Error(codes.Unimplemented, "a condition on a range")
	}
	is := v.Get(c.Key)
	if is == nil {
		is = &mvccpb.KeyValue{}
	}
	order := 0
	switch c.Target {
	case pb.Compare_MOD:
		order = cmp.Compare(is.ModRevision, c.GetModRevision())
	case pb.Compare_CREATE:
		order = cmp.Compare(is.CreateRevision, c.GetCreateRevision())
	case pb.Compare_VERSION:
		order = cmp.Compare(is.Version, c.GetVersion())
	case pb.Compare_LEASE:
		order = cmp.Compare(is.Lease, c.GetLease())
	case pb.Compare_VALUE:
		order = bytes.Compare(is.Value, c.GetValue())
	}
	switch c.Result {
	case pb.Compare_EQUAL:
		return order == 0, nil
	case pb.Compare_NOT_EQUAL:
		return order != 0, nil
	case pb.Compare_GREATER:
		return order > 0, nil
	default:
		return order < 0, nil
	}
}
