package etcd

import (
	"errors"
	"io"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"

	"github.com/ssactl/ssactl/internal/serve/store"
)

// pieceBytes are those of the values of a piece. Readers that are slower than the store, such as a
// hundred watches that begin at once, keep no more than that in memory each.
const pieceBytes = 256 << 10

// pieces are a range that is read piece by piece, all of it at one revision.
type pieces struct {
	s *store.Store
	// query is what is left to read; its revision is 0 before the first piece.
	query   store.Query
	limited bool
	// revision is that of the store when the first piece was read.
	revision, count int64
	ended           bool
}

func (k *keys) pieces(r *pb.RangeRequest) *pieces {
	return &pieces{s: k.s, limited: r.Limit > 0, query: store.Query{
		Span: store.Span{Key: r.Key, End: r.RangeEnd}, Revision: r.Revision, Limit: r.Limit, Bytes: pieceBytes,
		KeysOnly: r.KeysOnly, CountOnly: r.CountOnly,
	}}
}

// next is the next piece. As of etcd, only the last one has a header, the count, and whether the limit
// left pairs out; io.EOF is after it.
func (p *pieces) next() (*pb.RangeStreamResponse, error) {
	if p.ended {
		return nil, io.EOF
	}
	var found store.Found
	err := p.s.View(func(v store.View) (err error) {
		if p.revision == 0 {
			if err := p.begin(v); err != nil {
				return err
			}
		}
		found, err = v.Range(p.query)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := &pb.RangeResponse{Kvs: found.Pairs}
	if p.limited {
		p.query.Limit -= int64(len(found.Pairs))
	}
	if p.ended = !found.More || p.limited && p.query.Limit == 0; p.ended {
		out.Header, out.Count, out.More = header(p.revision), p.count, found.More
	} else {
		p.query.Key = append(found.Pairs[len(found.Pairs)-1].Key, 0)
	}
	return &pb.RangeStreamResponse{RangeResponse: out}, nil
}

// begin counts all that there is at the revision of the pieces.
func (p *pieces) begin(v store.View) error {
	p.revision = v.Revision()
	if p.query.Revision <= 0 {
		p.query.Revision = p.revision
	}
	all := p.query
	all.CountOnly = true
	found, err := v.Range(all)
	p.count = found.Count
	return err
}

// RangeStream implements pb.KVServer.
func (k *keys) RangeStream(r *pb.RangeRequest, to pb.KV_RangeStreamServer) error {
	for p := k.pieces(r); ; {
		piece, err := p.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := to.Send(piece); err != nil {
			return err
		}
	}
}
