package server

import (
	"encoding/json"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/server/api"
)

// definitionFields are the fields of a version of a CustomResourceDefinition.
type definitionFields struct {
	root *apiextensionsv1.JSONSchemaProps
}

func definitionOf(v *apiextensionsv1.CustomResourceDefinitionVersion) *definitionFields {
	if v.Schema == nil {
		return &definitionFields{}
	}
	return &definitionFields{root: v.Schema.OpenAPIV3Schema}
}

// add notes what the definition says of a field. A custom resource is stored as it is
// written.
func (d *definitionFields) add(f *api.Field, path []string) {
	props, required := d.root, false
	for _, name := range path {
		if props == nil {
			return
		}
		required = slices.Contains(props.Required, name)
		props = propsBelow(props, name)
	}
	if props == nil {
		return
	}
	f.Zero, f.Required = api.KeptZero, required || f.Required
	if props.Type == "integer" || props.Type == "number" {
		f.Type = props.Type
	}
	if f.Format = props.Format; props.XIntOrString {
		f.Format = "int-or-string"
	}
	f.Pattern = props.Pattern
	set(&f.ListType, props.XListType)
	set(&f.MapType, props.XMapType)
	f.Default, f.HasDefault = defaultOf(props)
}

func set(to, from *string) {
	if from != nil {
		*to = *from
	}
}

func defaultOf(props *apiextensionsv1.JSONSchemaProps) (any, bool) {
	if props.Default == nil {
		return nil, false
	}
	var v any
	if err := kjson.Unmarshal(props.Default.Raw, &v); err != nil {
		return json.RawMessage(props.Default.Raw), true
	}
	return v, true
}

// propsBelow is the schema of a field, or of the items or values; nil without one.
func propsBelow(props *apiextensionsv1.JSONSchemaProps, name string) *apiextensionsv1.JSONSchemaProps {
	switch {
	case name == api.Each && props.Items != nil:
		return props.Items.Schema
	case name == api.Each && props.AdditionalProperties != nil:
		return props.AdditionalProperties.Schema
	}
	if child, ok := props.Properties[name]; ok {
		return &child
	}
	return nil
}
