package server

import (
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/handlers"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/api"
)

// protobuf is the media type in which a server stores built-in kinds.
const protobuf = "application/vnd.kubernetes.protobuf"

var _ api.Storing = (*Server)(nil)

// Stored is an object of a built-in kind as it would be stored once it was decoded
// and defaults were filled in, before admission and validation.
func (s *Server) Stored(kind schema.GroupVersionKind, object map[string]any) (map[string]any, bool) {
	r, err := s.catalog.find(kind)
	if err != nil || r == nil {
		return nil, false
	}
	out, err := api.Guarded(func() (map[string]any, error) {
		if text, err := json.Marshal(object); err != nil || s.types.CheckQuantities(kind, text) != nil {
			return nil, errNotStored
		}
		return storedAs(r.endpoints[""].scope, object)
	})
	return out, err == nil
}

// errNotStored: nobody knows what would be stored.
var errNotStored = errors.New("no server says what would be stored")

// storedAs decodes as a handler does, and goes through the encoding of the storage:
// it distinguishes an empty list from none, as JSON does and protobuf does not.
func storedAs(scope *handlers.RequestScope, object map[string]any) (map[string]any, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	hub, err := recoded(scope, api.JSON, text)
	if err != nil {
		return nil, err
	}
	info, ok := runtime.SerializerInfoForMediaType(scope.Serializer.SupportedMediaTypes(), protobuf)
	if ok {
		packed, err := runtime.Encode(scope.Serializer.EncoderForVersion(info.Serializer, scope.Kind.GroupVersion()), hub)
		if err != nil {
			return nil, err
		}
		if hub, err = recoded(scope, protobuf, packed); err != nil {
			return nil, err
		}
	}
	if text, err = encodeVersion(scope, hub); err != nil {
		return nil, err
	}
	return jsontree.Decode(text)
}

// recoded decodes an object of the kind of a scope to the version that the server
// works with.
func recoded(scope *handlers.RequestScope, mediaType string, text []byte) (runtime.Object, error) {
	info, ok := runtime.SerializerInfoForMediaType(scope.Serializer.SupportedMediaTypes(), mediaType)
	if !ok {
		return nil, fmt.Errorf("no serializer for %s of %s", mediaType, scope.Kind)
	}
	return runtime.Decode(scope.Serializer.DecoderToVersion(info.Serializer, scope.HubGroupVersion), text)
}
