package server

import (
	"context"
	"encoding/json"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// transaction is what the storage holds for one call: the live object before
// it, and the object after it. It travels in the call's context, so that the
// storages themselves are stateless and shared by all calls.
type transaction struct {
	resource schema.GroupResource
	// live is the object as the caller gave it; nil when there is none.
	live []byte
	// revision stands in for etcd's: that of the live object, or 1.
	revision uint64

	// data is the object as stored; nil until the storage has read live, and
	// when there is none.
	data []byte
	// codec is that of the storage that wrote last.
	codec runtime.Codec

	read, written, deleted bool
	// unreadable is why live cannot be decoded.
	unreadable error

	// object is live decoded; nil to have it decoded here. Where it is given,
	// readers share one decoded object until something is written: changing it
	// changes nothing that is stored.
	object  runtime.Object
	decoded runtime.Object
	// lasting is the kind of the object where it is lasting: then kept, not data, is
	// what is stored.
	lasting schema.GroupVersionKind
	kept    runtime.Object
}

func newTransaction(resource schema.GroupResource, live []byte) *transaction {
	return &transaction{resource: resource, live: live, revision: revisionOf(live)}
}

type transactionKey struct{}

func withTransaction(ctx context.Context, t *transaction) context.Context {
	return context.WithValue(ctx, transactionKey{}, t)
}

// empty reports whether nothing is stored.
func (t *transaction) empty() bool { return t.data == nil && t.kept == nil }

// transactionFor gives the call's transaction, or an empty one where the
// storage serves another resource than the call is about: the answer of a
// server that holds just one object.
func transactionFor(ctx context.Context, resource schema.GroupResource) *transaction {
	t, ok := ctx.Value(transactionKey{}).(*transaction)
	if !ok || !cohabit(t.resource, resource) {
		return &transaction{resource: resource, revision: 1, read: true}
	}
	return t
}

// cohabit reports whether two resources share their storage: events are served
// by two groups.
func cohabit(a, b schema.GroupResource) bool {
	return a == b || a.Resource == "events" && b.Resource == "events"
}

// load encodes the live object as the storage keeps it. What a server stores
// has been through its decoder once; so has this.
func (t *transaction) load(s *store) error {
	if t.read {
		return nil
	}
	t.read = true
	t.codec = s.codec
	if t.object != nil && s.keeps(t.lasting) {
		t.kept = t.object
		return nil
	}
	obj, err := t.object, error(nil)
	if obj == nil {
		if t.live == nil {
			return nil
		}
		if obj, err = decodeLive(s.codec, t.live); err != nil {
			t.unreadable = err
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

// stored gives the object after the call in its internal form; nil when there
// is none.
func (t *transaction) stored() (runtime.Object, error) {
	if t.deleted || t.empty() {
		return nil, nil
	}
	if t.kept != nil {
		return t.kept, nil
	}
	return t.decode(t.codec)
}

func (t *transaction) decode(codec runtime.Codec) (runtime.Object, error) {
	obj, err := runtime.Decode(codec, t.data)
	if err != nil {
		return nil, err
	}
	return obj, versioner.UpdateObject(obj, t.revision)
}

func (t *transaction) write(codec runtime.Codec, data []byte) {
	t.data, t.codec, t.kept = data, codec, nil
	t.written, t.deleted = true, false
}

func (t *transaction) remove() {
	t.data, t.kept = nil, nil
	t.written, t.deleted = true, true
}

// revisionOf reads metadata.resourceVersion; 1 where there is none or where it
// is not a number, as no server would have stored it.
func revisionOf(live []byte) uint64 {
	var object struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	}
	if live == nil || json.Unmarshal(live, &object) != nil {
		return 1
	}
	revision, err := strconv.ParseUint(object.Metadata.ResourceVersion, 10, 64)
	if err != nil || revision == 0 {
		return 1
	}
	return revision
}
