package custom

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	externalinformers "k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	generatedopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kube-openapi/pkg/builder3"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/server/exchange"
	"github.com/ssactl/ssactl/internal/server/memory"
)

// handlerTimeout is a bound that no call comes near.
const handlerTimeout = time.Minute

// served serves a version of one definition with the handler of apiextensions-apiserver.
type served struct {
	handler func() (http.Handler, error)
	// merge is the merge type.
	merge func() (typed.ParseableType, error)
}

// customHandler makes the handler with an informer that is never started: its
// index is filled by hand.
func customHandler(
	crd *apiextensionsv1.CustomResourceDefinition,
	admit admission.Interface,
	allow authorizer.Authorizer,
) (http.Handler, error) {
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

// metaSchemas are the OpenAPI schemas of the metadata that every custom resource has.
var metaSchemas = sync.OnceValues(func() (map[string]*spec.Schema, error) {
	config := genericapiserver.DefaultOpenAPIV3Config(
		generatedopenapi.GetOpenAPIDefinitions,
		openapinamer.NewDefinitionNamer(apiextensionsapiserver.Scheme))
	return builder3.BuildOpenAPIDefinitionsForResources(config,
		metav1.ObjectMeta{}.OpenAPIModelName(), metav1.ListMeta{}.OpenAPIModelName())
})

// customType gives the merge type of a definition's version, built as the handler of
// apiextensions-apiserver builds the one that it merges by.
func customType(crd *apiextensionsv1.CustomResourceDefinition, version string) (typed.ParseableType, error) {
	none := typed.ParseableType{}
	static, err := metaSchemas()
	if err != nil {
		return none, err
	}
	own, err := builder.BuildOpenAPIV3(crd, version, builder.Options{})
	if err != nil {
		return none, err
	}
	merged, err := builder.MergeSpecsV3(&spec3.OpenAPI{
		Version:    "3.0.0",
		Info:       &spec.Info{},
		Components: &spec3.Components{Schemas: static},
	}, own)
	if err != nil {
		return none, err
	}
	models, err := schemaconv.ToSchemaFromOpenAPI(merged.Components.Schemas, crd.Spec.PreserveUnknownFields)
	if err != nil {
		return none, err
	}
	parser := typed.Parser{Schema: smdschema.Schema{Types: models.Types}}
	kind := definedBy(crd).WithVersion(version)
	for name, model := range merged.Components.Schemas {
		if slices.Contains(kindsOf(model), kind) {
			return parser.Type(name), nil
		}
	}
	return none, fmt.Errorf("%s defines no %s", crd.Name, kind)
}

// kindsOf reads the group, version and kind extension of a model.
func kindsOf(model *spec.Schema) []schema.GroupVersionKind {
	list, _ := model.Extensions["x-kubernetes-group-version-kind"].([]any)
	var kinds []schema.GroupVersionKind
	for _, item := range list {
		entry, _ := item.(map[string]any)
		group, _ := entry["group"].(string)
		version, _ := entry["version"].(string)
		kind, _ := entry["kind"].(string)
		if kind != "" {
			kinds = append(kinds, schema.GroupVersionKind{Group: group, Version: version, Kind: kind})
		}
	}
	return kinds
}
