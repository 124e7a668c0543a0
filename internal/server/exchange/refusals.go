package exchange

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

// connecting are the subresources by which a server talks to others or hands
// out credentials.
var connecting = map[string][]string{
	"nodes":           {"proxy"},
	"pods":            {"attach", "exec", "log", "portforward", "proxy"},
	"serviceaccounts": {"token"},
	"services":        {"proxy"},
}

// NotSimulated gives the error for such a subresource of the core group; nil
// for all others.
func NotSimulated(gvr schema.GroupVersionResource, subresource string) error {
	if gvr.Group == "" && slices.Contains(connecting[gvr.Resource], subresource) {
		return fmt.Errorf("%s/%s: %w, since it needs a cluster", gvr.Resource, subresource, api.ErrNotSimulated)
	}
	return nil
}

// These answer what never reaches a handler, as the router of a server does.

// NotFound answers for a path without a route below a served group.
func NotFound() http.Handler {
	return routerError(http.StatusNotFound, "404: Page Not Found")
}

// NotServed answers for a group that the server does not have. Its
// answer is no Status; this is the one that client-go makes of it.
func NotServed(verb string) http.Handler {
	return status(errors.NewGenericServerResponse(
		http.StatusNotFound, verb, schema.GroupResource{}, "", "404 page not found", 0, true))
}

// Refused answers with a status code of the router: for a method that a resource does not
// have, or a patch of a type that it does not take.
func Refused(code int) http.Handler {
	return routerError(code, fmt.Sprintf("%d: %s", code, http.StatusText(code)))
}

// routerError follows serviceErrorHandler of apiserver pkg/server/handler.go.
func routerError(code int, message string) http.Handler {
	return status(errors.NewGenericServerResponse(code, "", schema.GroupResource{}, "", message, 0, false))
}

func status(err *errors.StatusError) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s := err.ErrStatus
		s.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
		body, marshalErr := json.Marshal(s)
		if marshalErr != nil {
			panic(marshalErr)
		}
		w.WriteHeader(int(s.Code))
		_, _ = w.Write(body)
	})
}
