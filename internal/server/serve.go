package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/endpoints/handlers"

	"github.com/ssactl/ssactl/internal/jsontree"
	admit "github.com/ssactl/ssactl/internal/server/admission"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/custom"
	"github.com/ssactl/ssactl/internal/server/exchange"
	"github.com/ssactl/ssactl/internal/server/faithful"
	"github.com/ssactl/ssactl/internal/server/memory"
)

func (s *Server) serve(ctx context.Context, call api.Request) (api.Response, error) {
	filled, err := faithful.FillPlaceholders(call.Live, call.Kind.GroupKind(), call.Namespace, s.placeholderPorts)
	if err != nil {
		return api.Response{}, err
	}
	t, err := s.route(call)
	if err != nil {
		return api.Response{}, err
	}
	kept := faithful.LettersOf(call, t.GVR.GroupResource())
	filled.Live = kept.In(filled.Live)
	tx := memory.NewTransaction(t.GVR.GroupResource(), filled.Live)
	record := &admit.Record{Derived: call.Derived}
	ctx = admit.WithRecord(memory.WithTransaction(withServer(ctx, s), tx), record)
	answer, err := exchange.Send(ctx, s.unrepeated(call, t.GVR.GroupResource()), t.GVR, t.Warnings, t.Handler)
	if err != nil {
		return api.Response{}, err
	}
	if record.NeedsWebhook || exchange.NeedsWebhook(answer) {
		return api.Response{}, fmt.Errorf(
			"a webhook converts between the versions of %s: it cannot be called without a cluster",
			call.Kind.GroupKind(),
		)
	}
	if tx.Unreadable != nil {
		return api.Response{}, &api.LiveError{Err: tx.Unreadable}
	}
	response := api.Response{
		Code:        answer.Code,
		Body:        answer.Body.Bytes(),
		Warnings:    answer.Warnings(),
		Deleted:     tx.Deleted,
		Admission:   record.Changes,
		Derived:     record.DerivedFields(),
		Denials:     record.Denials,
		Unsimulated: record.Absent(),
	}
	response.Unsimulated = append(response.Unsimulated, faithful.HiddenFields(call)...)
	response.Unsimulated = append(response.Unsimulated, t.Caveats...)
	response.Unsimulated = append(response.Unsimulated, kept.Caveats(filled.Live, tx, answer.Code)...)
	if response.Stored, err = storedAfter(tx, t, call, response); err != nil {
		return response, err
	}
	if err := s.types.DropLater(call.Kind, &response); err != nil {
		return response, fmt.Errorf("read answer: %w", err)
	}
	if err := admit.ConcealDerived(&response); err != nil {
		return response, fmt.Errorf("read refusal: %w", err)
	}
	if err := faithful.Order(&response); err != nil {
		return response, fmt.Errorf("read refusal: %w", err)
	}
	faithful.AsRelease(s.release, &response)
	if response, err = filled.TakeBack(call, response); err != nil {
		return response, err
	}
	response.Others, err = record.Written()
	return response, err
}

// unrepeated is a call without what the handler does to an apply for its field validation,
// where that finds nothing: it reads the body as YAML once more, for keys that are there
// twice (endpoints/handlers/patch.go, applyPatcher). Policies may see what was asked for.
func (s *Server) unrepeated(call api.Request, resource schema.GroupResource) api.Request {
	valid := []string{"", metav1.FieldValidationWarn, metav1.FieldValidationStrict}
	judged := s.admit.Judges.MayMatch(resource, admission.Create) || s.admit.Judges.MayMatch(resource, admission.Update)
	if call.Verb == api.Apply && call.Distinct && slices.Contains(valid, call.FieldValidation) && !judged {
		call.FieldValidation = metav1.FieldValidationIgnore
	}
	return call
}

// storedAfter is the object after the call, at the version of the call; nil for
// a refused one.
func storedAfter(tx *memory.Transaction, t exchange.Target, call api.Request, r api.Response) ([]byte, error) {
	if r.Code >= http.StatusMultipleChoices {
		return nil, nil
	}
	if call.Subresource == "" && call.Verb != api.Delete && !tx.Deleted {
		return r.Body, nil
	}
	obj, err := tx.Stored()
	if err != nil || obj == nil {
		return nil, err
	}
	return t.Encode(obj)
}

// route is where a call goes: to a handler of the resource, or to one that refuses it.
func (s *Server) route(call api.Request) (exchange.Target, error) {
	r, err := s.catalog.find(call.Kind)
	if err != nil {
		return exchange.Target{}, err
	}
	foreign := r == nil && !s.catalog.builtinGroup(call.Kind.Group)
	if foreign && s.custom.MayServe(call.Kind) {
		return s.custom.Route(call)
	}
	method, mediaType, err := exchange.MethodOf(call)
	if err != nil {
		return exchange.Target{}, err
	}
	if r == nil {
		return s.unserved(call.Kind, method), nil
	}
	if err := exchange.NotSimulated(r.gvr, call.Subresource); err != nil {
		return exchange.Target{}, err
	}
	t := exchange.Target{
		GVR:    r.gvr,
		Encode: func(obj runtime.Object) ([]byte, error) { return encodeVersion(r.endpoints[""].scope, obj) },
	}
	e, ok := r.endpoints[call.Subresource]
	switch {
	case !ok || r.namespaced != (call.Namespace != ""):
		t.Handler = exchange.NotFound()
	case method == http.MethodPatch && !slices.Contains(builtinPatchTypes, mediaType):
		t.Handler = exchange.Refused(http.StatusUnsupportedMediaType)
	default:
		if t.Handler = e.handler(call.Verb, method, s.admit); t.Handler == nil {
			t.Handler = exchange.Refused(http.StatusMethodNotAllowed)
		}
		t.Warnings = e.warnings
	}
	return t, nil
}

// unserved is the answer for a kind that is not served.
func (s *Server) unserved(kind schema.GroupVersionKind, method string) exchange.Target {
	foreign := !s.catalog.builtinGroup(kind.Group)
	switch {
	case foreign && !s.custom.Lacks.Has(kind.GroupKind()) && custom.NameableVersion(kind.GroupVersion()):
		return exchange.Target{Handler: exchange.NotServed(method), Caveats: []api.Caveat{{Kind: api.Schema,
			Message: fmt.Sprintf("An aggregated API server could serve the group %s: none is simulated.", kind.Group),
		}}}
	case s.types.ServesGroup(kind.Group):
		return exchange.Target{Handler: exchange.NotFound()}
	}
	return exchange.Target{Handler: exchange.NotServed(method)}
}

// encodeVersion writes an internal object at the version of a scope.
func encodeVersion(scope *handlers.RequestScope, obj runtime.Object) ([]byte, error) {
	info, ok := runtime.SerializerInfoForMediaType(scope.Serializer.SupportedMediaTypes(), api.JSON)
	if !ok {
		return nil, fmt.Errorf("no JSON serializer for %s", scope.Kind)
	}
	encoder := scope.Serializer.EncoderForVersion(info.Serializer, scope.Kind.GroupVersion())
	return runtime.Encode(encoder, obj)
}

type serverKey struct{}

func withServer(ctx context.Context, s *Server) context.Context {
	return context.WithValue(ctx, serverKey{}, s)
}

// serverIn is the server that answers a call. Storages ask it for what is of its cluster,
// since servers of several have them.
func serverIn(ctx context.Context) *Server { return ctx.Value(serverKey{}).(*Server) }

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
			return nil, errors.New("no server says what would be stored")
		}
		return storedAs(r.endpoints[""].scope, object)
	})
	return out, err == nil
}

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
	info, ok := runtime.SerializerInfoForMediaType(scope.Serializer.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	if ok {
		packed, err := runtime.Encode(scope.Serializer.EncoderForVersion(info.Serializer, scope.Kind.GroupVersion()), hub)
		if err != nil {
			return nil, err
		}
		if hub, err = recoded(scope, runtime.ContentTypeProtobuf, packed); err != nil {
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
