package server

import (
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	generatedopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kube-openapi/pkg/builder3"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// metaSchemas are the OpenAPI schemas of the metadata that every custom
// resource has.
var metaSchemas = sync.OnceValues(func() (map[string]*spec.Schema, error) {
	config := genericapiserver.DefaultOpenAPIV3Config(
		generatedopenapi.GetOpenAPIDefinitions,
		openapinamer.NewDefinitionNamer(apiextensionsapiserver.Scheme))
	return builder3.BuildOpenAPIDefinitionsForResources(config,
		metav1.ObjectMeta{}.OpenAPIModelName(), metav1.ListMeta{}.OpenAPIModelName())
})

// customTypes gives the merge types of a definition's versions, built as the
// handler of apiextensions-apiserver builds those that it merges by.
func customTypes(crd *apiextensionsv1.CustomResourceDefinition) (map[schema.GroupVersionKind]typed.ParseableType, error) {
	static, err := metaSchemas()
	if err != nil {
		return nil, err
	}
	specs := []*spec3.OpenAPI{{
		Version:    "3.0.0",
		Info:       &spec.Info{},
		Components: &spec3.Components{Schemas: static},
	}}
	for _, v := range crd.Spec.Versions {
		s, err := builder.BuildOpenAPIV3(crd, v.Name, builder.Options{})
		if err != nil {
			return nil, err
		}
		specs = append(specs, s)
	}
	merged, err := builder.MergeSpecsV3(specs...)
	if err != nil {
		return nil, err
	}
	models, err := schemaconv.ToSchemaFromOpenAPI(merged.Components.Schemas, crd.Spec.PreserveUnknownFields)
	if err != nil {
		return nil, err
	}
	parser := typed.Parser{Schema: smdschema.Schema{Types: models.Types}}
	types := map[schema.GroupVersionKind]typed.ParseableType{}
	for name, model := range merged.Components.Schemas {
		for _, kind := range kindsOf(model) {
			types[kind] = parser.Type(name)
		}
	}
	return types, nil
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
