package server

import (
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// converted is an object at one version, and what came of it at another. The zero
// converted is none.
type converted struct{ from, to runtime.Object }

// convert is upstream's conversion of any object to a version. What it gives may share
// memory with what it is given.
type convert func(runtime.Object) (runtime.Object, error)

// beside gives what upstream gives. Of a definition, the schemas that it shares with
// another one are not converted again, but those that came of that one's.
func (upstream convert) beside(object runtime.Object, like converted) (runtime.Object, error) {
	var out runtime.Object
	switch object.(type) {
	case *apiextensionsv1.CustomResourceDefinition:
		out = definitionBeside(upstream, object, like, schemaConverter[schemaV1, schemaHub]{
			upstream: apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps, from: formV1, to: formHub,
		})
	case *apiextensions.CustomResourceDefinition:
		out = definitionBeside(upstream, object, like, schemaConverter[schemaHub, schemaV1]{
			upstream: apiextensionsv1.Convert_apiextensions_JSONSchemaProps_To_v1_JSONSchemaProps, from: formHub, to: formV1,
		})
	}
	if out != nil {
		return out, nil
	}
	return upstream(object)
}

// definitionBeside is nil for a definition that has not one version with a schema: of
// several versions upstream compares the schemas, and puts those that are equal elsewhere.
func definitionBeside[F, T any](upstream convert, object runtime.Object, like converted, c schemaConverter[F, T]) runtime.Object {
	root, was, came := c.from.root(object), c.from.root(like.from), c.to.root(like.to)
	if root == nil || was == nil || came == nil {
		return nil
	}
	out, err := upstream(c.from.withRoot(object, new(F)))
	if err != nil {
		return nil
	}
	place := c.to.root(out)
	if place == nil {
		return nil
	}
	*place = new(T)
	if c.convert(*root, *place, *was, *came) != nil {
		return nil
	}
	return out
}

type (
	schemaV1  = apiextensionsv1.JSONSchemaProps
	schemaHub = apiextensions.JSONSchemaProps
)

var formV1 = schemaForm[schemaV1]{
	root: func(object runtime.Object) **schemaV1 {
		crd, _ := object.(*apiextensionsv1.CustomResourceDefinition)
		if crd == nil || len(crd.Spec.Versions) != 1 || crd.Spec.Versions[0].Schema == nil || crd.Spec.Versions[0].Schema.OpenAPIV3Schema == nil {
			return nil
		}
		return &crd.Spec.Versions[0].Schema.OpenAPIV3Schema
	},
	withRoot: func(object runtime.Object, root *schemaV1) runtime.Object {
		crd := *object.(*apiextensionsv1.CustomResourceDefinition)
		crd.Spec.Versions = slices.Clone(crd.Spec.Versions)
		crd.Spec.Versions[0].Schema = &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: root}
		return &crd
	},
	below: func(p *schemaV1) inside[schemaV1] {
		b := inside[schemaV1]{properties: p.Properties}
		if p.Items != nil && p.Items.JSONSchemas == nil {
			b.items = p.Items.Schema
		}
		if p.AdditionalProperties != nil {
			b.values = p.AdditionalProperties.Schema
		}
		return b
	},
	put: func(p *schemaV1, b inside[schemaV1]) {
		p.Properties = b.properties
		if p.Items == nil || p.Items.JSONSchemas == nil && p.Items.Schema != nil {
			p.Items = nil
			if b.items != nil {
				p.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: b.items}
			}
		}
		if p.AdditionalProperties != nil {
			p.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: p.AdditionalProperties.Allows, Schema: b.values}
		}
	},
}

// formHub is that of the internal form, which has the schema of a single version where
// v1beta1 had one for all versions.
var formHub = schemaForm[schemaHub]{
	root: func(object runtime.Object) **schemaHub {
		crd, _ := object.(*apiextensions.CustomResourceDefinition)
		if crd == nil || len(crd.Spec.Versions) != 1 || crd.Spec.Versions[0].Schema != nil || crd.Spec.Validation == nil || crd.Spec.Validation.OpenAPIV3Schema == nil {
			return nil
		}
		return &crd.Spec.Validation.OpenAPIV3Schema
	},
	withRoot: func(object runtime.Object, root *schemaHub) runtime.Object {
		crd := *object.(*apiextensions.CustomResourceDefinition)
		crd.Spec.Validation = &apiextensions.CustomResourceValidation{OpenAPIV3Schema: root}
		return &crd
	},
	below: func(p *schemaHub) inside[schemaHub] {
		b := inside[schemaHub]{properties: p.Properties}
		if p.Items != nil && p.Items.JSONSchemas == nil {
			b.items = p.Items.Schema
		}
		if p.AdditionalProperties != nil {
			b.values = p.AdditionalProperties.Schema
		}
		return b
	},
	put: func(p *schemaHub, b inside[schemaHub]) {
		p.Properties = b.properties
		if p.Items == nil || p.Items.JSONSchemas == nil && p.Items.Schema != nil {
			p.Items = nil
			if b.items != nil {
				p.Items = &apiextensions.JSONSchemaPropsOrArray{Schema: b.items}
			}
		}
		if p.AdditionalProperties != nil {
			p.AdditionalProperties = &apiextensions.JSONSchemaPropsOrBool{Allows: p.AdditionalProperties.Allows, Schema: b.values}
		}
	},
}
