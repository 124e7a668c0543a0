package server

import (
	"context"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Accepts reports whether an object of a custom kind passes, as it is, the validation
// of a new object: that of apiextensions-apiserver, without a request round it. It is
// false for kinds that nothing defines, and for definitions that cannot be served.
func (s *Server) Accepts(kind schema.GroupVersionKind, object map[string]any) bool {
	crd, defined := s.custom.of(kind.GroupKind())
	if !defined {
		return false
	}
	judge, served := s.custom.servingOf(crd, kind.Version).judges[kind.Version]
	if !served {
		return false
	}
	accepted, err := guarded(func() (bool, error) {
		strategy, err := judge()
		if err != nil {
			return false, err
		}
		return len(strategy.Validate(context.Background(), &unstructured.Unstructured{Object: object})) == 0, nil
	})
	return accepted && err == nil
}

// objectJudge is the part of a strategy that judges new objects.
type objectJudge interface {
	Validate(context.Context, runtime.Object) field.ErrorList
}

// judgesOf are the strategies of the versions of a definition, made at first use.
func judgesOf(crd *apiextensionsv1.CustomResourceDefinition) map[string]func() (objectJudge, error) {
	out := map[string]func() (objectJudge, error){}
	for _, v := range crd.Spec.Versions {
		out[v.Name] = onceGuarded(func() (objectJudge, error) { return newStrategy(crd, v) })
	}
	return out
}

// newStrategy makes that of a version as the handler does (customresource_handler.go),
// but for its subresources, which are judged apart.
func newStrategy(crd *apiextensionsv1.CustomResourceDefinition, v apiextensionsv1.CustomResourceDefinitionVersion) (objectJudge, error) {
	if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
		return nil, fmt.Errorf("%s has no schema for %s", crd.Name, v.Name)
	}
	props := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v.Schema.OpenAPIV3Schema, props, nil); err != nil {
		return nil, err
	}
	structural, err := structuralschema.NewStructural(props)
	if err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		return nil, err
	}
	kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind}
	return customresource.NewStrategy(nil, crd.Spec.Scope == apiextensionsv1.NamespaceScoped, kind, validator, nil, structural, nil, nil, nil), nil
}
