package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/handlers"

	"github.com/ssactl/ssactl/internal/server/api"
)

// target is where a call goes.
type target struct {
	gvr      schema.GroupVersionResource
	warnings []string
	handler  http.Handler
	// encode turns a stored object into JSON at the version of the call.
	encode func(runtime.Object) ([]byte, error)
	// caveats say what else might answer.
	caveats []api.Caveat
}

func (s *Server) serve(ctx context.Context, call api.Request) (api.Response, error) {
	filled, err := fillPlaceholders(call.Live, call.Namespace)
	if err != nil {
		return api.Response{}, err
	}
	filled.ports = s.placeholderPorts
	t, err := s.route(call)
	if err != nil {
		return api.Response{}, err
	}
	kept := lettersOf(call, t.gvr.GroupResource())
	filled.live = kept.in(filled.live)
	tx := newTransaction(t.gvr.GroupResource(), filled.live)
	record := &admissionRecord{}
	ctx = withAdmissionRecord(withTransaction(withServer(ctx, s), tx), record)
	answer, err := exchange(ctx, call, t.gvr, t.warnings, t.handler)
	if err != nil {
		return api.Response{}, err
	}
	if record.needsWebhook || needsWebhook(answer) {
		return api.Response{}, fmt.Errorf("a webhook converts between the versions of %s: it cannot be called without a cluster", call.Kind.GroupKind())
	}
	if tx.unreadable != nil {
		return api.Response{}, &api.LiveError{Err: tx.unreadable}
	}
	response := api.Response{
		Code:        answer.code,
		Body:        answer.body.Bytes(),
		Warnings:    answer.warnings(),
		Deleted:     tx.deleted,
		Admission:   record.changes,
		Derived:     record.derivedFields(),
		Denials:     record.denials,
		Unsimulated: record.absent(),
	}
	response.Unsimulated = append(response.Unsimulated, hiddenFields(call)...)
	response.Unsimulated = append(response.Unsimulated, t.caveats...)
	response.Unsimulated = append(response.Unsimulated, kept.caveats(filled.live, tx, answer.code)...)
	if response.Stored, err = storedAfter(tx, t, call, response); err != nil {
		return response, err
	}
	if err := s.dropLater(call.Kind, &response); err != nil {
		return response, err
	}
	if err := concealDerived(&response); err != nil {
		return response, fmt.Errorf("read refusal: %w", err)
	}
	if err := errors.Join(orderConflicts(&response), orderInvalid(&response)); err != nil {
		return response, fmt.Errorf("read refusal: %w", err)
	}
	s.release.asRelease(&response)
	if response, err = filled.takeBack(call, response); err != nil {
		return response, err
	}
	response.Others, err = record.written()
	return response, err
}

// storedAfter is the object after the call, at the version of the call; nil for
// a refused one.
func storedAfter(tx *transaction, t target, call api.Request, r api.Response) ([]byte, error) {
	if r.Code >= http.StatusMultipleChoices {
		return nil, nil
	}
	if call.Subresource == "" && call.Verb != api.Delete && !tx.deleted {
		return r.Body, nil
	}
	obj, err := tx.stored()
	if err != nil || obj == nil {
		return nil, err
	}
	return t.encode(obj)
}

// dropLater makes an answer that of a release that does not write later fields.
func (s *Server) dropLater(kind schema.GroupVersionKind, r *api.Response) (err error) {
	if r.Body, err = s.types.withoutLater(r.Body, kind); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if r.Stored, err = s.types.withoutLater(r.Stored, kind); err != nil {
		return fmt.Errorf("read stored object: %w", err)
	}
	return nil
}

// route finds the handler of a call.
func (s *Server) route(call api.Request) (target, error) {
	r, err := s.catalog.find(call.Kind)
	if err != nil {
		return target{}, err
	}
	foreign := r == nil && !s.catalog.builtinGroup(call.Kind.Group)
	if foreign && s.custom.mayServe(call.Kind) {
		return s.custom.route(call)
	}
	method, mediaType, err := methodOf(call)
	if err != nil {
		return target{}, err
	}
	switch {
	case foreign && !s.custom.lacks.Has(call.Kind.GroupKind()) && nameableVersion(call.Kind.GroupVersion()):
		return target{handler: notServed(method), caveats: aggregated(call.Kind.Group)}, nil
	case r == nil && s.servesGroup(call.Kind.Group):
		return target{handler: notFound()}, nil
	case r == nil:
		return target{handler: notServed(method)}, nil
	}
	if err := notSimulated(r.gvr, call.Subresource); err != nil {
		return target{}, err
	}
	t := target{
		gvr:    r.gvr,
		encode: func(obj runtime.Object) ([]byte, error) { return encodeVersion(r.endpoints[""].scope, obj) },
	}
	e, ok := r.endpoints[call.Subresource]
	switch {
	case !ok || r.namespaced != (call.Namespace != ""):
		t.handler = notFound()
	case method == http.MethodPatch && !accepted(builtinPatchTypes, mediaType):
		t.handler = unsupportedMediaType()
	default:
		if t.handler = e.handler(call.Verb, method, s.admit); t.handler == nil {
			t.handler = methodNotAllowed()
		}
		t.warnings = e.warnings
	}
	return t, nil
}

// servesGroup reports whether a built-in group is served, in any version.
func (s *Server) servesGroup(name string) bool {
	return slices.ContainsFunc(s.types.schemas.Kinds(), func(kind schema.GroupVersionKind) bool {
		return kind.Group == name && s.types.served(kind.GroupVersion())
	})
}

// aggregated says what else could answer for a group that nothing given serves.
func aggregated(group string) []api.Caveat {
	return []api.Caveat{{Kind: api.Schema,
		Message: fmt.Sprintf("An aggregated API server could serve the group %s: none is simulated.", group)}}
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
