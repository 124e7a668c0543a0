package server

import (
	"reflect"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// leanRoot is a copy of the schema of a version without the properties, at any depth,
// that are plain.
func (s *plainSchemas) leanRoot(root *apiextensions.JSONSchemaProps) *apiextensions.JSONSchemaProps {
	lean := *root
	if !governs(root) {
		// Of these upstream asks what they have.
		lean.Properties, _ = s.leanProperties(root, []string{"metadata", "apiVersion", "kind"})
	}
	return &lean
}

// lean is a copy of a schema without the properties that are plain; nil where it is
// plain itself, and where it stays as it is. Properties that are kept stay in it.
func (s *plainSchemas) lean(p *apiextensions.JSONSchemaProps, kept []string) (lean *apiextensions.JSONSchemaProps, plain bool) {
	if governs(p) {
		return nil, false
	}
	properties, ok := s.leanProperties(p, kept)
	items, itemsOK := s.leanItems(p)
	values, valuesOK := s.leanValues(p)
	if ok && itemsOK && valuesOK && s.plain(p) {
		return nil, true
	}
	copied := *p
	copied.Properties, copied.Items, copied.AdditionalProperties = properties, items, values
	return &copied, false
}

// leanProperties are the properties that stay, and whether all are plain.
func (s *plainSchemas) leanProperties(p *apiextensions.JSONSchemaProps, kept []string) (left map[string]apiextensions.JSONSchemaProps, plain bool) {
	plain = true
	for name, below := range p.Properties {
		lean, ok := s.lean(&below, nil)
		keep := slices.Contains(kept, name)
		plain = plain && ok
		if ok && !keep {
			continue
		}
		if lean != nil && !keep {
			below = *lean
		}
		if left == nil {
			left = map[string]apiextensions.JSONSchemaProps{}
		}
		left[name] = below
	}
	return left, plain
}

func (s *plainSchemas) leanItems(p *apiextensions.JSONSchemaProps) (_ *apiextensions.JSONSchemaPropsOrArray, plain bool) {
	if p.Items == nil || p.Items.Schema == nil || len(p.Items.JSONSchemas) > 0 {
		return p.Items, p.Items == nil
	}
	lean, plain := s.lean(p.Items.Schema, p.XListMapKeys)
	if lean == nil {
		return p.Items, plain
	}
	return &apiextensions.JSONSchemaPropsOrArray{Schema: lean}, false
}

func (s *plainSchemas) leanValues(p *apiextensions.JSONSchemaProps) (_ *apiextensions.JSONSchemaPropsOrBool, plain bool) {
	if p.AdditionalProperties == nil || p.AdditionalProperties.Schema == nil {
		return p.AdditionalProperties, true
	}
	lean, plain := s.lean(p.AdditionalProperties.Schema, nil)
	if lean == nil {
		return p.AdditionalProperties, plain
	}
	return &apiextensions.JSONSchemaPropsOrBool{Allows: p.AdditionalProperties.Allows, Schema: lean}, false
}

// governs reports whether upstream looks from a schema at those below it, which stay
// with it: rules and defaults are checked against them, and what is said of values has
// to be said of them too.
func governs(p *apiextensions.JSONSchemaProps) bool {
	return len(p.XValidations) > 0 || p.XEmbeddedResource || p.Default != nil && !fits(p) ||
		len(p.AllOf) > 0 || len(p.OneOf) > 0 || p.Not != nil || len(p.AnyOf) > 0 && !intOrString(p) ||
		len(p.Properties) > 0 && p.AdditionalProperties != nil
}

// intOrStringAnyOf is the one combination that a schema may have for its type
// (apiextensions-apiserver, apiserver/schema/validation.go).
var intOrStringAnyOf = []apiextensions.JSONSchemaProps{{Type: "integer"}, {Type: "string"}}

func intOrString(p *apiextensions.JSONSchemaProps) bool {
	return p.XIntOrString && p.Type == "" && reflect.DeepEqual(&p.AnyOf, &intOrStringAnyOf)
}

// fits reports whether a default is surely a value of its schema.
func fits(p *apiextensions.JSONSchemaProps) bool {
	if p.MultipleOf != nil {
		return false
	}
	switch is := (*p.Default).(type) {
	case string:
		bounded := p.Format != "" || p.Pattern != "" || p.MinLength != nil || p.MaxLength != nil
		return p.Type == "string" && !bounded && (len(p.Enum) == 0 || slices.Contains(p.Enum, any(is)))
	case bool:
		return p.Type == "boolean" && p.Format == "" && len(p.Enum) == 0
	case int64:
		return p.Type == "integer" && len(p.Enum) == 0 && !p.ExclusiveMinimum && !p.ExclusiveMaximum && int64(int32(is)) == is &&
			(p.Minimum == nil || *p.Minimum <= float64(is)) && (p.Maximum == nil || *p.Maximum >= float64(is))
	}
	return false
}
