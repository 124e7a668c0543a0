// Package memory is the storage of the server: it holds the one live object of one call.
//
//	transaction.go  the object before and after the call
//	storage.go      the storage over it, as registries see it
//	lasting.go      objects that need not be encoded in between
package memory

import (
	"context"
	"encoding/json"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// Transaction is the storage of one call: the live object before it, and the object after
// it. It travels in the call's context, so the storages themselves are stateless and shared
// by all calls.
type Transaction struct {
	Resource schema.GroupResource
	// live is the object as the caller gave it; nil when there is none.
	live []byte
	// Revision stands in for etcd's: that of the live object, or 1.
	Revision uint64

	// data is the object as stored; nil until the storage has read live, and
	// when there is none.
	data []byte
	// Codec is that of the storage that wrote last.
	Codec runtime.Codec

	read, Written, Deleted bool
	// Unreadable is why live cannot be decoded.
	Unreadable error

	// Object is live decoded; nil to have it decoded here. Readers share one decoded object
	// until something is written.
	Object  runtime.Object
	decoded runtime.Object
	// Lasting is the kind of a lasting object, live or new: then Kept, not data, is stored.
	Lasting schema.GroupVersionKind
	Kept    runtime.Object
}

// NewTransaction begins a call over a live object; nil for none.
func NewTransaction(resource schema.GroupResource, live []byte) *Transaction {
	return &Transaction{Resource: resource, live: live, Revision: revisionOf(live)}
}

type transactionKey struct{}

// WithTransaction gives a context in which the storage finds the object of a call.
func WithTransaction(ctx context.Context, t *Transaction) context.Context {
	return context.WithValue(ctx, transactionKey{}, t)
}

// empty reports whether nothing is stored.
func (t *Transaction) empty() bool { return t.data == nil && t.Kept == nil }

// transactionFor gives the call's transaction, or an empty one for a storage of another
// resource: there is just one object.
func transactionFor(ctx context.Context, resource schema.GroupResource) *Transaction {
	t, ok := ctx.Value(transactionKey{}).(*Transaction)
	if !ok || !Cohabit(t.Resource, resource) {
		return &Transaction{Resource: resource, Revision: 1, read: true}
	}
	return t
}

// Cohabit reports whether two resources share their storage: events are served
// by two groups.
func Cohabit(a, b schema.GroupResource) bool {
	return a == b || a.Resource == "events" && b.Resource == "events"
}

// load encodes the live object as the storage keeps it. What a server stores
// has been through its decoder once; so has this.
func (t *Transaction) load(s *store) error {
	if t.read {
		return nil
	}
	t.read = true
	t.Codec = s.codec
	if t.Object != nil && s.keeps(t.Lasting) {
		t.Kept = t.Object
		return nil
	}
	obj, err := t.Object, error(nil)
	if obj == nil {
		if t.live == nil {
			return nil
		}
		if obj, err = decodeLive(s.codec, t.live); err != nil {
			t.Unreadable = err
			return err
		}
	}
	t.data, err = encodeForStorage(s.codec, obj)
	return err
}

// decodeLive also refuses what the codec of custom resources drops from their metadata:
// no server gives such an object.
func decodeLive(codec runtime.Codec, live []byte) (runtime.Object, error) {
	obj, err := runtime.Decode(codec, live)
	if _, custom := obj.(runtime.Unstructured); err != nil || !custom {
		return obj, err
	}
	type ObjectMeta struct {
		Labels      map[string]string `json:"labels"`
		Annotations map[string]string `json:"annotations"`
	}
	return obj, json.Unmarshal(live, &struct {
		ObjectMeta `json:"metadata"`
	}{})
}

// Stored gives the object after the call in its internal form; nil when there is none.
func (t *Transaction) Stored() (runtime.Object, error) {
	switch {
	case t.Deleted || t.empty():
		return nil, nil
	case t.Kept != nil:
		return t.Kept, nil
	}
	return t.Decode(t.Codec)
}

// Decode reads the object as it is now stored.
func (t *Transaction) Decode(codec runtime.Codec) (runtime.Object, error) {
	obj, err := runtime.Decode(codec, t.data)
	if err != nil {
		return nil, err
	}
	return obj, Versioner.UpdateObject(obj, t.Revision)
}

func (t *Transaction) write(codec runtime.Codec, data []byte) {
	t.data, t.Codec, t.Kept = data, codec, nil
	t.Written, t.Deleted = true, false
}

// revisionOf reads metadata.resourceVersion; 1 where there is none or where it
// is not a number, as no server would have stored it. Where the text can be read in one way
// only, it is not decoded.
func revisionOf(live []byte) uint64 {
	if live == nil {
		return 1
	}
	if version, certain := jsontree.Name(live, "metadata", "resourceVersion"); certain {
		return revision(version)
	}
	var object struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	}
	if json.Unmarshal(live, &object) != nil {
		return 1
	}
	return revision(object.Metadata.ResourceVersion)
}

func revision(version string) uint64 {
	n, err := strconv.ParseUint(version, 10, 64)
	if err != nil || n == 0 {
		return 1
	}
	return n
}
