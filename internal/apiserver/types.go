package apiserver

import (
	"fmt"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kube-openapi/pkg/builder3"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	ko "k8s.io/kubernetes/pkg/generated/openapi"
)

// typeConverter is a managedfields.TypeConverter over the embedded merge
// schemas. It does what upstream's does over schemas that it parses from
// OpenAPI definitions when a server starts.
type typeConverter struct {
	schemas map[schema.GroupVersionKind]typed.ParseableType
	// none answers for kinds without a schema: its error is the one by which
	// the field manager knows that an entry's version is no longer served.
	none managedfields.TypeConverter
}

var _ managedfields.TypeConverter = (*typeConverter)(nil)

func newTypeConverter(r release) (*typeConverter, error) {
	schemas, err := interim()
	if err != nil {
		return nil, err
	}
	none, err := managedfields.NewTypeConverter(nil, false)
	if err != nil {
		return nil, err
	}
	return &typeConverter{schemas: schemas, none: none}, nil
}

func (c *typeConverter) find(kind schema.GroupVersionKind) (typed.ParseableType, bool) {
	t, ok := c.schemas[kind]
	return t, ok
}

// ObjectToTyped follows managedfields/internal/typeconverter.go.
func (c *typeConverter) ObjectToTyped(obj runtime.Object, opts ...typed.ValidationOptions) (*typed.TypedValue, error) {
	kind := obj.GetObjectKind().GroupVersionKind()
	t, ok := c.find(kind)
	if !ok {
		return c.none.ObjectToTyped(obj, opts...)
	}
	if u, ok := obj.(*unstructured.Unstructured); ok {
		return t.FromUnstructured(u.UnstructuredContent(), opts...)
	}
	return t.FromStructured(obj, opts...)
}

// TypedToObject follows managedfields/internal/typeconverter.go.
func (c *typeConverter) TypedToObject(value *typed.TypedValue) (runtime.Object, error) {
	content, ok := value.AsValue().Unstructured().(map[string]any)
	if !ok {
		return nil, fmt.Errorf("typed value is no object but %T", value.AsValue().Unstructured())
	}
	return &unstructured.Unstructured{Object: content}, nil
}

var interim = sync.OnceValues(func() (map[schema.GroupVersionKind]typed.ParseableType, error) {
	config := genericapiserver.DefaultOpenAPIV3Config(ko.GetOpenAPIDefinitions, openapinamer.NewDefinitionNamer(legacyscheme.Scheme))
	var names []string
	for n := range ko.GetOpenAPIDefinitions(func(string) spec.Ref { return spec.Ref{} }) {
		if strings.HasPrefix(n, "io.k8s.api.") || strings.Contains(n, "kube-aggregator") || strings.Contains(n, "apiextensions") {
			names = append(names, n)
		}
	}
	_ = common.OpenAPIV3Config{}
	defs, err := builder3.BuildOpenAPIDefinitionsForResources(config, names...)
	if err != nil {
		return nil, err
	}
	models, err := schemaconv.ToSchemaFromOpenAPI(defs, false)
	if err != nil {
		return nil, err
	}
	parser := typed.Parser{Schema: smdschema.Schema{Types: models.Types}}
	out := map[schema.GroupVersionKind]typed.ParseableType{}
	for n, m := range defs {
		for _, k := range kindsOf(m) {
			out[k] = parser.Type(n)
		}
	}
	return out, nil
})
