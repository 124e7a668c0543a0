package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/faithful"
	"github.com/ssactl/ssactl/internal/server/gotree"
	"github.com/ssactl/ssactl/internal/server/memory"
)

var errLiveObject = errors.New("there is a live object")

// Creation is a new object.
type Creation struct {
	// Object is it in its internal form, with the managed fields entry of the apply.
	Object runtime.Object
	// Filled says that it was read of a tree without empty lists.
	Filled bool
}

// Create stores an object where there is none, as an apply does (apiserver, handlers/patch.go),
// or refuses it where it is not valid. It is false for any other refusal, a warning, changes by
// admission or to other objects, and where it is not sure how the stored object is written. It
// runs by the clock of this machine: an answer that tells the time, to a request with its own
// Now, is false as well.
func (e *Endpoint) Create(ctx context.Context, c Creation) (api.Response, bool) {
	start := time.Now()
	w, ctx := e.newWrite(ctx, memory.NewTransaction(e.scope.Resource.GroupResource(), nil))
	if c.Filled && e.lasting() {
		w.tx.Lasting = e.scope.Kind
	}
	object, err := w.create(ctx, c.Object)
	switch {
	case !w.plain():
		return api.Response{}, false
	case err != nil:
		return w.invalid(err, start)
	}
	tree, ok := w.created(object)
	if !ok {
		return api.Response{}, false
	}
	response := api.Response{
		Code:         http.StatusCreated,
		Unsimulated:  w.record.Absent(),
		ServerValues: faithful.TakeBackNew(e.call, tree),
	}
	if !e.call.Now.IsZero() && saysAny(tree, stampsSince(start)) {
		return api.Response{}, false
	}
	if e.call.Trees != nil {
		response.Object = tree
		return response, true
	}
	response.Body, err = json.Marshal(tree)
	response.Stored = response.Body
	return response, err == nil
}

// create has an object stored, validated and admitted as a new one.
func (w *directWrite) create(ctx context.Context, object runtime.Object) (runtime.Object, error) {
	apply := func(context.Context, runtime.Object, runtime.Object) (runtime.Object, error) {
		accessor, err := meta.Accessor(object)
		if err != nil {
			return nil, err
		}
		namespace := rest.ExpectedNamespaceForResource(w.info.Namespace, w.scope.Resource)
		return object, rest.EnsureObjectNamespaceMatchesRequestNamespace(namespace, accessor)
	}
	options := &metav1.CreateOptions{FieldManager: w.options.FieldManager, FieldValidation: w.options.FieldValidation}
	options.TypeMeta.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("CreateOptions"))
	admit := func(ctx context.Context, object, _ runtime.Object) (runtime.Object, error) {
		return object, w.server.admit.Admit(ctx, w.attributes(object, nil, admission.Create, options), w.scope)
	}
	existing := func(context.Context, runtime.Object, runtime.Object) error { return errLiveObject }
	stored, created, err := w.storage.(rest.Patcher).Update(
		ctx, w.call.Name, rest.DefaultUpdatedObjectInfo(nil, apply, admit), nil, existing, true, w.options,
	)
	if err == nil && !created {
		err = errLiveObject
	}
	if err == nil {
		// Store.Update would copy the object for it, before it stores. What it refuses is no
		// answer of this way, stored or not.
		attributes := w.attributes(nil, nil, admission.Create, options)
		err = rest.AdmissionToValidateObjectFunc(w.server.admit, attributes, w.scope)(ctx, object)
	}
	return stored, err
}

// invalid refuses an object that is not valid, in the words of the handlers (apiserver,
// handlers/responsewriters/status.go); false for other errors.
func (w *directWrite) invalid(err error, start time.Time) (api.Response, bool) {
	status := responsewriters.ErrorToAPIStatus(err)
	if status.Code != http.StatusUnprocessableEntity {
		return api.Response{}, false
	}
	text, err := json.Marshal(status)
	if err != nil {
		return api.Response{}, false
	}
	for _, stamp := range stampsSince(start) {
		// A message may quote when the object was created.
		if !w.call.Now.IsZero() && bytes.Contains(text, []byte(stamp)) {
			return api.Response{}, false
		}
	}
	response := api.Response{
		Code:        http.StatusUnprocessableEntity,
		Body:        append(text, '\n'),
		Unsimulated: w.record.Absent(),
	}
	return response, faithful.Order(&response) == nil
}

// created is the stored object as it is read, as a tree of its own; false where the storage
// or the encoding may make something else of it.
func (w *directWrite) created(object runtime.Object) (map[string]any, bool) {
	versioned, err := w.external(object)
	if err != nil {
		return nil, false
	}
	if w.tx.Kept != nil {
		if crd, ok := versioned.(*apiextensionsv1.CustomResourceDefinition); ok && crd.Spec.Scope == "" {
			// Definitions are stored as v1beta1, which has a default for it.
			return nil, false
		}
		w.scope.Defaulter.Default(versioned)
	}
	tree, ok := gotree.Write(versioned)
	// A strategy may make an empty list, which is stored as none.
	return tree, ok && (w.tx.Kept == nil || !hasEmptyListIn(tree, nil))
}

// stampsSince are the times of this machine since one, as objects have them.
func stampsSince(start time.Time) []string {
	var stamps []string
	for at := start.Truncate(time.Second); !at.After(time.Now()); at = at.Add(time.Second) {
		stamps = append(stamps, faithful.Stamp(at))
	}
	return stamps
}

// saysAny looks for texts in an object, except in its managed fields.
func saysAny(v any, texts []string) bool {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if key != "managedFields" && saysAny(value, texts) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return saysAny(item, texts) })
	case string:
		return slices.Contains(texts, v)
	}
	return false
}
