package server

import (
	"context"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// definitionStrategy has updates of CustomResourceDefinitions validated by upstream's
// strategy without the schemas that nothing can be said against, which are most: it
// goes through a definition a dozen times. Where it says anything nonetheless, it is
// asked again with all of them.
type definitionStrategy struct{ rest.RESTUpdateStrategy }

func (s definitionStrategy) ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList {
	if lean, leanOld, ok := leanUpdate(obj, old); ok && len(s.RESTUpdateStrategy.ValidateUpdate(ctx, lean, leanOld)) == 0 {
		return nil
	}
	return s.RESTUpdateStrategy.ValidateUpdate(ctx, obj, old)
}

func (s definitionStrategy) WarningsOnUpdate(ctx context.Context, obj, old runtime.Object) []string {
	if lean, leanOld, ok := leanUpdate(obj, old); ok && len(s.RESTUpdateStrategy.WarningsOnUpdate(ctx, lean, leanOld)) == 0 {
		return nil
	}
	return s.RESTUpdateStrategy.WarningsOnUpdate(ctx, obj, old)
}

// leanUpdate gives a definition and the one before without what nothing can be said
// against; false where that may be of account for the rest.
func leanUpdate(obj, old runtime.Object) (lean, leanOld *apiextensions.CustomResourceDefinition, ok bool) {
	is, isOK := obj.(*apiextensions.CustomResourceDefinition)
	was, wasOK := old.(*apiextensions.CustomResourceDefinition)
	if !isOK || !wasOK || !leanable(&is.Spec) || !leanable(&was.Spec) {
		return nil, nil, false
	}
	// Whether the schema of a version is as it was, upstream sees as well.
	same := map[*apiextensions.JSONSchemaProps]bool{}
	for _, schema := range schemasOf(&was.Spec) {
		same[schema] = true
	}
	s := newPlainSchemas()
	lean = leanDefinition(s, is, func(p *apiextensions.JSONSchemaProps) string {
		if same[p] {
			return "as before"
		}
		return "new"
	})
	return lean, leanDefinition(s, was, func(*apiextensions.JSONSchemaProps) string { return "as before" }), true
}

// leanable reports whether upstream looks at no schema but for what is in it: it looks
// up fields that objects are selected by, compares the schemas of versions, and has
// other rules for those that do not bind.
func leanable(spec *apiextensions.CustomResourceDefinitionSpec) bool {
	if spec.PreserveUnknownFields != nil && *spec.PreserveUnknownFields || len(spec.SelectableFields) > 0 {
		return false
	}
	alike := len(spec.Versions) > 0
	for _, v := range spec.Versions {
		if len(v.SelectableFields) > 0 {
			return false
		}
		alike = alike && v.Schema != nil && apiequality.Semantic.DeepEqual(v.Schema, spec.Versions[0].Schema)
	}
	return !alike
}

func schemasOf(spec *apiextensions.CustomResourceDefinitionSpec) []*apiextensions.JSONSchemaProps {
	var out []*apiextensions.JSONSchemaProps
	if spec.Validation != nil {
		out = append(out, spec.Validation.OpenAPIV3Schema)
	}
	for _, v := range spec.Versions {
		if v.Schema != nil {
			out = append(out, v.Schema.OpenAPIV3Schema)
		}
	}
	return out
}

// leanDefinition is a copy. Its schemas stay as different as they are by their
// descriptions: mark tells those of two definitions apart, and the name those of two
// versions.
func leanDefinition(
	s *plainSchemas, crd *apiextensions.CustomResourceDefinition, mark func(*apiextensions.JSONSchemaProps) string,
) *apiextensions.CustomResourceDefinition {
	lean := *crd
	validation := func(v *apiextensions.CustomResourceValidation, name string) *apiextensions.CustomResourceValidation {
		if v == nil || v.OpenAPIV3Schema == nil {
			return v
		}
		root := s.leanRoot(v.OpenAPIV3Schema)
		root.Description = mark(v.OpenAPIV3Schema) + " " + name
		return &apiextensions.CustomResourceValidation{OpenAPIV3Schema: root}
	}
	lean.Spec.Validation = validation(crd.Spec.Validation, "")
	lean.Spec.Versions = slices.Clone(crd.Spec.Versions)
	for i := range lean.Spec.Versions {
		v := &lean.Spec.Versions[i]
		v.Schema = validation(v.Schema, v.Name)
	}
	return &lean
}
