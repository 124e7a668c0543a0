package custom

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	externalinformers "k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/exchange"
	"github.com/ssactl/ssactl/internal/server/memory"
)

// handlerTimeout is a bound that no call comes near.
const handlerTimeout = time.Minute

// served serves a version of one definition with the handler of
// apiextensions-apiserver.
type served struct {
	handler func() (http.Handler, error)
	// merge is the merge type.
	merge func() (typed.ParseableType, error)
}

func newServed(crd *apiextensionsv1.CustomResourceDefinition, version string, admit admission.Interface, allow authorizer.Authorizer) *served {
	return &served{
		handler: api.OnceGuarded(func() (http.Handler, error) { return customHandler(crd, admit, allow) }),
		merge:   api.OnceGuarded(func() (typed.ParseableType, error) { return customType(crd, version) }),
	}
}

// customHandler makes the handler with an informer that is never started: its
// index is filled by hand.
func customHandler(crd *apiextensionsv1.CustomResourceDefinition, admit admission.Interface, allow authorizer.Authorizer) (http.Handler, error) {
	definitions := externalinformers.NewSharedInformerFactory(nil, 0).Apiextensions().V1().CustomResourceDefinitions()
	if err := definitions.Informer().GetIndexer().Add(crd); err != nil {
		return nil, err
	}
	metaSchemas, err := metaSchemas()
	if err != nil {
		return nil, err
	}
	return apiextensionsapiserver.NewCustomResourceDefinitionHandler(
		nil, nil, definitions, exchange.NotServed(""),
		memory.CodecOptions{Codec: unstructured.UnstructuredJSONScheme},
		admit, nil, unreachable{}, nil, 1, allow,
		handlerTimeout, handlerTimeout, metaSchemas, exchange.MaxRequestBytes)
}

// unreachable resolves no conversion webhook: there is no network.
type unreachable struct{}

func (unreachable) ResolveEndpoint(string, string, int32) (*url.URL, error) {
	return nil, errors.New(exchange.WebhookNeeded)
}
