package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/faithful"
	"github.com/ssactl/ssactl/internal/server/gotree"
	"github.com/ssactl/ssactl/internal/server/memory"
)

var (
	errNoLiveObject = errors.New("there is no live object")
	errEmptyList    = errors.New("there is an empty list")
)

// Change is how an object takes the place of the live one.
type Change struct {
	// Live is the live object in its internal form.
	Live runtime.Object
	// Filled says that neither of the two has an empty list.
	Filled bool
	// Next makes what takes its place of the stored one (apiserver, handlers/patch.go).
	Next func(current runtime.Object) (runtime.Object, error)
	// Bare is the tree of the live object without its managed fields entries. The
	// caller guarantees that those are stored unchanged.
	Bare map[string]any
	// Like is the whole tree: the answer may be one that shares it. Nil where a text is
	// asked for.
	Like map[string]any
}

// Update replaces the live object. Where nothing was written, the Stored of the response is
// the Live of the request. It is false for a refusal, a warning, changes by admission or to
// other objects, values that only a server can give, and where the live object is not
// stored as its tree says.
func (e *Endpoint) Update(ctx context.Context, change Change) (api.Response, bool) {
	u, ctx, err := e.newUpdate(ctx, change.Live)
	if err != nil {
		return api.Response{}, false
	}
	if change.Filled && e.lasting() {
		u.tx.Lasting = e.scope.Kind
	}
	object, err := u.store(ctx, change.Next)
	if err != nil || !u.plain() {
		return api.Response{}, false
	}
	before, err := u.external(u.before)
	if err != nil {
		return api.Response{}, false
	}
	response := api.Response{Code: http.StatusOK, Unsimulated: u.record.Absent(), Body: e.call.Live}
	if u.tx.Written {
		response.Body, response.Object, err = u.body(object, before, change.Like)
	}
	response.Stored = response.Body
	if err == nil && u.tx.Written && faithful.Allocates(e.call.Kind.GroupKind()) {
		response, err = faithful.Placeholders{Ports: e.server.placeholderPorts}.TakeBack(e.call, response)
	}
	response.Unsimulated = append(response.Unsimulated, e.server.serviceCaveats(e.call, response)...)
	// Last: it would notice if upstream's code changed what objects share.
	return response, err == nil && len(response.ServerValues) == 0 && isStored(before, change.Bare)
}

// Conflict refuses an apply whose fields others own, for given causes. It is false where the
// live object, which is given, may not be stored as its tree says.
func (e *Endpoint) Conflict(live Form, causes []metav1.StatusCause, message string) (api.Response, bool) {
	internal, err := e.Internal(&live)
	if err != nil || faithful.Allocates(e.call.Kind.GroupKind()) {
		return api.Response{}, false
	}
	versioned, err := e.external(internal)
	if err != nil || !isStored(versioned, live.tree) {
		return api.Response{}, false
	}
	status := apierrors.NewApplyConflict(causes, message).ErrStatus
	status.SetGroupVersionKind(metav1.Unversioned.WithKind("Status"))
	text, err := json.Marshal(status)
	if err != nil {
		return api.Response{}, false
	}
	response := api.Response{Code: int(status.Code), Body: append(text, '\n'), Stored: e.call.Live}
	return response, faithful.Order(&response) == nil
}

// isStored reports whether an object surely is what a tree says, apart from its managed
// fields entries, which it loses.
func isStored(versioned runtime.Object, bare map[string]any) bool {
	accessor, err := meta.Accessor(versioned)
	if err != nil {
		return false
	}
	if crd, ok := versioned.(*apiextensionsv1.CustomResourceDefinition); ok && crd.Spec.Scope == "" {
		// Definitions are stored as v1beta1, which has a default for it.
		return false
	}
	accessor.SetManagedFields(nil)
	return gotree.Writes(versioned, bare)
}

// hasEmptyListIn looks for an empty list in an object, except in its managed fields and
// in what it shares with another one, which has none.
func hasEmptyListIn(v, like any) bool {
	switch v := v.(type) {
	case map[string]any:
		if jsontree.Same(v, like) {
			return false
		}
		like, _ := like.(map[string]any)
		for key, value := range v {
			if key != "managedFields" && hasEmptyListIn(value, like[key]) {
				return true
			}
		}
	case []any:
		if len(v) == 0 || jsontree.Same(v, like) {
			return len(v) == 0
		}
		others, _ := like.([]any)
		for i, item := range v {
			var other any
			if i < len(others) {
				other = others[i]
			}
			if hasEmptyListIn(item, other) {
				return true
			}
		}
	}
	return false
}

type directUpdate struct {
	*directWrite
	// before is the live object, as it is stored.
	before runtime.Object
}

// newUpdate prepares an update, with its context.
func (e *Endpoint) newUpdate(ctx context.Context, live runtime.Object) (*directUpdate, context.Context, error) {
	accessor, err := meta.Accessor(live)
	if err != nil {
		return nil, nil, err
	}
	revision, err := memory.Versioner.ParseResourceVersion(accessor.GetResourceVersion())
	if err != nil {
		return nil, nil, err
	}
	w, ctx := e.newWrite(
		ctx,
		&memory.Transaction{Resource: e.scope.Resource.GroupResource(), Object: live, Revision: revision},
	)
	return &directUpdate{directWrite: w}, ctx, nil
}

// body is the stored object as it is read: with defaults, where it was not decoded. It is a
// tree where the tree of the object before is given, if possible.
func (u *directUpdate) body(object, before runtime.Object, like map[string]any) ([]byte, map[string]any, error) {
	if u.tx.Kept == nil {
		text, err := u.JSON(object)
		return text, nil, err
	}
	versioned, err := u.external(object)
	if err != nil {
		return nil, nil, err
	}
	u.scope.Defaulter.Default(versioned)
	if like != nil && !faithful.Allocates(u.call.Kind.GroupKind()) {
		if tree, ok := gotree.WriteLike(versioned, before, like); ok && !hasEmptyListIn(tree, like) {
			return nil, tree, nil
		}
	}
	text, err := u.JSON(versioned)
	if err == nil && hasEmptyList(text) {
		// A strategy made one, which is stored as none.
		err = errEmptyList
	}
	return text, nil, err
}

// hasEmptyList reports whether a field of an object is one.
func hasEmptyList(text []byte) bool {
	for {
		_, behind, found := bytes.Cut(text, []byte(`":[]`))
		if !found {
			return false
		}
		if at := len(text) - len(behind) - len(`":[]`); at == 0 || text[at-1] != '\\' {
			return true
		}
		text = behind
	}
}

func (u *directUpdate) store(
	ctx context.Context,
	next func(runtime.Object) (runtime.Object, error),
) (runtime.Object, error) {
	var after runtime.Object
	apply := func(_ context.Context, _, current runtime.Object) (object runtime.Object, err error) {
		u.before = current
		after, err = next(current)
		return after, err
	}
	admit := func(ctx context.Context, object, old runtime.Object) (runtime.Object, error) {
		// The handlers have the entries validated again behind it, which all
		// were read already.
		return object, u.server.admit.Admit(ctx, u.attributes(object, old), u.scope)
	}
	missing := func(context.Context, runtime.Object) error { return errNoLiveObject }
	stored, created, err := u.storage.(rest.Patcher).Update(
		ctx, u.call.Name, rest.DefaultUpdatedObjectInfo(nil, apply, admit), missing, nil, true, u.options,
	)
	if err == nil && created {
		err = errNoLiveObject
	}
	if err == nil && after != nil {
		// Store.Update would copy both objects for it, before it stores. What it
		// refuses is no answer of this way, stored or not.
		err = rest.AdmissionToValidateObjectUpdateFunc(u.server.admit, u.attributes(nil, nil), u.scope)(ctx, after, u.before)
	}
	return stored, err
}

func (u *directUpdate) attributes(object, old runtime.Object) admission.Attributes {
	return u.directWrite.attributes(object, old, admission.Update, u.options)
}
