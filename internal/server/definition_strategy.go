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
// goes through a definition a dozen times. Of the definition before it wants to know
// only which mistakes are in it already, to let them pass: it is asked as if there were
// none. Where it says anything nonetheless, it is asked again with all of both.
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

// leanUpdate gives a definition without what nothing can be said against, and the one
// before with no schema that lets a mistake pass; false where what is left out may be of
// account for the rest.
func leanUpdate(obj, old runtime.Object) (lean, leanOld *apiextensions.CustomResourceDefinition, ok bool) {
	is, isOK := obj.(*apiextensions.CustomResourceDefinition)
	was, wasOK := old.(*apiextensions.CustomResourceDefinition)
	if !isOK || !wasOK || !leanable(&is.Spec) || !binds(&was.Spec) || selects(&was.Spec) {
		return nil, nil, false
	}
	s := newPlainSchemas()
	lean = withRoots(is, func(root *apiextensions.JSONSchemaProps, version string) *apiextensions.JSONSchemaProps {
		root = s.leanRoot(root)
		// Versions whose schemas differ go on to differ.
		root.Description = version
		return root
	})
	leanOld = withRoots(was, func(*apiextensions.JSONSchemaProps, string) *apiextensions.JSONSchemaProps {
		return &apiextensions.JSONSchemaProps{Type: "object", Description: "before"}
	})
	return lean, leanOld, true
}

// leanable reports whether upstream looks at no schema but for what is in it: it looks
// up fields that objects are selected by, compares the schemas of versions, and has
// other rules for those that do not bind.
func leanable(spec *apiextensions.CustomResourceDefinitionSpec) bool {
	alike := len(spec.Versions) > 0
	for _, v := range spec.Versions {
		alike = alike && v.Schema != nil && apiequality.Semantic.DeepEqual(v.Schema, spec.Versions[0].Schema)
	}
	return !alike && binds(spec) && !selects(spec)
}

// binds reports whether schemas bind: what is in none of them is pruned.
func binds(spec *apiextensions.CustomResourceDefinitionSpec) bool {
	return spec.PreserveUnknownFields == nil || !*spec.PreserveUnknownFields
}

// selects reports whether objects are selected by fields of theirs.
func selects(spec *apiextensions.CustomResourceDefinitionSpec) bool {
	return len(spec.SelectableFields) > 0 ||
		slices.ContainsFunc(spec.Versions, func(v apiextensions.CustomResourceDefinitionVersion) bool { return len(v.SelectableFields) > 0 })
}

// withRoots is a copy of a definition with other schemas, where it has any.
func withRoots(
	crd *apiextensions.CustomResourceDefinition, other func(root *apiextensions.JSONSchemaProps, version string) *apiextensions.JSONSchemaProps,
) *apiextensions.CustomResourceDefinition {
	out := *crd
	validation := func(v *apiextensions.CustomResourceValidation, version string) *apiextensions.CustomResourceValidation {
		if v == nil || v.OpenAPIV3Schema == nil {
			return v
		}
		return &apiextensions.CustomResourceValidation{OpenAPIV3Schema: other(v.OpenAPIV3Schema, version)}
	}
	out.Spec.Validation = validation(crd.Spec.Validation, "")
	out.Spec.Versions = slices.Clone(crd.Spec.Versions)
	for i := range out.Spec.Versions {
		v := &out.Spec.Versions[i]
		v.Schema = validation(v.Schema, v.Name)
	}
	return &out
}
