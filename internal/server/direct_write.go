package server

import (
	"context"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/warning"

	admit "github.com/ssactl/ssactl/internal/server/admission"
	"github.com/ssactl/ssactl/internal/server/exchange"
	"github.com/ssactl/ssactl/internal/server/memory"
)

// directWrite is a write to the storage of an endpoint, without a handler.
type directWrite struct {
	*Endpoint
	tx      *memory.Transaction
	record  *admit.Record
	warned  *warnings
	info    *request.RequestInfo
	options *metav1.UpdateOptions
}

// newWrite prepares a write, with its context.
func (e *Endpoint) newWrite(ctx context.Context, tx *memory.Transaction) (*directWrite, context.Context) {
	w := &directWrite{
		Endpoint: e,
		tx:       tx,
		record:   &admit.Record{},
		warned:   &warnings{},
		info:     exchange.RequestInfo(e.call, e.scope.Resource, http.MethodPatch),
		options:  &metav1.UpdateOptions{FieldManager: e.call.Manager, FieldValidation: e.call.FieldValidation},
	}
	w.options.TypeMeta.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("UpdateOptions"))
	ctx = warning.WithWarningRecorder(
		admit.WithRecord(memory.WithTransaction(withServer(ctx, e.server), tx), w.record),
		w.warned,
	)
	ctx = request.WithUser(request.WithRequestInfo(ctx, w.info), exchange.Requester)
	return w, request.WithNamespace(ctx, w.info.Namespace)
}

// plain reports whether the object alone was written, without a warning, and not changed by
// admission.
func (w *directWrite) plain() bool {
	return !w.tx.Deleted && !w.warned.any && len(w.record.Changes) == 0 && len(w.record.Others) == 0
}

func (w *directWrite) attributes(
	object, old runtime.Object,
	operation admission.Operation,
	options runtime.Object,
) admission.Attributes {
	return admission.NewAttributesRecord(object, old, w.scope.Kind, w.info.Namespace, w.call.Name,
		w.scope.Resource, "", operation, options, false, exchange.Requester)
}

// warnings notes whether there were any.
type warnings struct{ any bool }

func (w *warnings) AddWarning(string, string) { w.any = true }
