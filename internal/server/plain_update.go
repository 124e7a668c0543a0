package server

import (
	"context"
	"errors"
	"net/http"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/server/api"
)

// errNotPlain ends an update that takes the full path instead.
var errNotPlain = errors.New("the apply is not plain")

// update has the merged object stored, as the handlers have it
// (apiserver, handlers/patch.go); false where they may answer otherwise.
func (s *Server) update(ctx context.Context, e *endpoint, p *plainApply, merge typed.ParseableType) (api.Response, bool) {
	call := p.call
	live, err := p.decode(e)
	if err != nil {
		return api.Response{}, false
	}
	tx := &transaction{resource: e.scope.Resource.GroupResource(), object: live, revision: p.revision}
	record := &admissionRecord{}
	warned := &warnings{}
	ctx = warning.WithWarningRecorder(withAdmissionRecord(withTransaction(ctx, tx), record), warned)
	info := requestInfo(call, e.scope.Resource, http.MethodPatch)
	ctx = request.WithRequestInfo(ctx, info)
	ctx = request.WithNamespace(request.WithUser(ctx, requester), info.Namespace)

	options := &metav1.UpdateOptions{FieldManager: call.Manager, FieldValidation: call.FieldValidation}
	options.TypeMeta.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("UpdateOptions"))
	attributes := func(obj, old runtime.Object) admission.Attributes {
		return admission.NewAttributesRecord(obj, old, e.scope.Kind, info.Namespace, call.Name,
			e.scope.Resource, "", admission.Update, options, false, requester)
	}
	apply := func(_ context.Context, _, current runtime.Object) (runtime.Object, error) {
		return p.apply(current, e, merge)
	}
	admit := func(ctx context.Context, obj, old runtime.Object) (runtime.Object, error) {
		// The handlers have the entries validated again behind it, which all
		// were read already.
		return obj, s.admit.Admit(ctx, attributes(obj, old), e.scope)
	}
	after, created, err := e.storage.(rest.Patcher).Update(ctx, call.Name, rest.DefaultUpdatedObjectInfo(nil, apply, admit),
		func(context.Context, runtime.Object) error { return errNotPlain }, nil, true, options)
	if err == nil && p.next != nil {
		// Store.Update would copy both objects for it, before it stores. What it
		// refuses is left to the full path, stored or not.
		err = rest.AdmissionToValidateObjectUpdateFunc(s.admit, attributes(nil, nil), e.scope)(ctx, p.next, p.current)
	}
	if err != nil || created || tx.deleted || warned.any || len(record.changes) > 0 || len(record.others) > 0 || p.repeats && tx.written {
		return api.Response{}, false
	}
	response := api.Response{Code: http.StatusOK, Unsimulated: record.absent(), Plain: true}
	if !tx.written {
		response.Unchanged, response.Body, response.Stored = true, call.Live, call.Live
		return response, true
	}
	if response.Body, err = encodeVersion(e.scope, after); err != nil {
		return api.Response{}, false
	}
	response.Stored = response.Body
	if allocates(call.Kind.GroupKind()) {
		response, err = loan{ports: s.lentPorts}.takeBack(call, response)
	}
	return response, err == nil && len(response.ServerValues) == 0
}

// apply is the object after the apply in its internal form, as the field
// manager gives it (managedfields/internal/structuredmerge.go).
func (p *plainApply) apply(current runtime.Object, e *endpoint, merge typed.ParseableType) (runtime.Object, error) {
	accessor, err := meta.Accessor(current)
	if err != nil {
		return nil, err
	}
	entries, ok := p.managed(accessor.GetManagedFields(), e, merge)
	if !ok {
		return nil, errNotPlain
	}
	if !p.stored(current, e) {
		return nil, errNotPlain
	}
	next, err := p.follow(current, e)
	if err != nil {
		return nil, err
	}
	if accessor, err = meta.Accessor(next); err != nil {
		return nil, err
	}
	accessor.SetManagedFields(entries)
	p.current, p.next = current, next
	return next, nil
}

// follow is the object after the apply, but for its entries. Where nothing changes,
// it shares memory with the current one: upstream compares the two, and sees at
// once that they are equal. If upstream's code changed what is shared, it would
// change both, and what is stored with them: update leaves that to the full path.
func (p *plainApply) follow(current runtime.Object, e *endpoint) (runtime.Object, error) {
	switch {
	case p.repeats:
		return shallow(current), nil
	case len(p.overlay.changed) == 0:
		return current.DeepCopyObject(), nil
	}
	return e.internal(bare(p.overlay.merged))
}

// shallow is a copy of an object that shares what it refers to.
func shallow(object runtime.Object) runtime.Object {
	value := reflect.ValueOf(object).Elem()
	out := newOf(value.Type())
	reflect.ValueOf(out).Elem().Set(value)
	return out
}

// warnings notes whether there were any.
type warnings struct{ any bool }

func (w *warnings) AddWarning(string, string) { w.any = true }
