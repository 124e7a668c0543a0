package server

import (
	"regexp"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// plainSchemas returns the schemas of a definition that upstream surely says nothing
// against, and learns nothing from for others: they say what type a value is, and
// narrow it in ways that are always in order (apiextensions-apiserver,
// apis/apiextensions/validation and apiserver/schema). It remembers for one definition
// what takes time to find out.
type plainSchemas struct {
	version  *version.Version
	formats  map[[2]string]bool
	patterns map[string]bool
}

func newPlainSchemas() *plainSchemas {
	return &plainSchemas{version: environment.DefaultCompatibilityVersion(), formats: map[[2]string]bool{}, patterns: map[string]bool{}}
}

// plain reports whether a schema is, if those below it are, and if it does not govern
// them.
func (s *plainSchemas) plain(p *apiextensions.JSONSchemaProps) bool {
	return !odd(p) && !extended(p) && ofType(p) && s.recognizes(p) && s.compiles(p.Pattern)
}

// odd reports whether a schema has what upstream refuses, or what is seldom seen.
func odd(p *apiextensions.JSONSchemaProps) bool {
	return p.ID != "" || p.Schema != "" || p.Ref != nil || p.UniqueItems || p.MultipleOf != nil || p.PatternProperties != nil ||
		p.Dependencies != nil || p.AdditionalItems != nil || p.Definitions != nil || p.ExternalDocs != nil
}

// extended reports whether extensions of a schema do not go together.
func extended(p *apiextensions.JSONSchemaProps) bool {
	switch {
	case p.XPreserveUnknownFields != nil && (!*p.XPreserveUnknownFields || p.XIntOrString):
		return true
	case p.XMapType != nil && (p.Type != "object" || *p.XMapType != "atomic" && *p.XMapType != "granular"):
		return true
	case p.XIntOrString && p.Type != "", len(p.AnyOf) > 0 && !p.XIntOrString:
		return true
	}
	return (p.XListType != nil || len(p.XListMapKeys) > 0) && p.Type != "array"
}

// ofType reports whether a schema has what its type needs, and no more.
func ofType(p *apiextensions.JSONSchemaProps) bool {
	has := p.Items != nil || len(p.Properties) > 0 || p.AdditionalProperties != nil
	switch p.Type {
	case "":
		return (p.XIntOrString || p.XPreserveUnknownFields != nil) && !has
	case "string", "number", "integer", "boolean":
		return !has
	case "object":
		return p.Items == nil
	case "array":
		return len(p.Properties) == 0 && p.AdditionalProperties == nil && p.Items != nil && p.Items.Schema != nil && listed(p, p.Items.Schema)
	}
	return false
}

// listed reports whether a list is of a type that its items can be of.
func listed(p, items *apiextensions.JSONSchemaProps) bool {
	listType := "atomic"
	if p.XListType != nil {
		listType = *p.XListType
	}
	switch listType {
	case "atomic":
		return len(p.XListMapKeys) == 0
	case "set":
		return len(p.XListMapKeys) == 0 && isScalar(items)
	case "map":
		return items.Type == "object" && !items.Nullable && keyed(items, p.XListMapKeys)
	}
	return false
}

// keyed reports whether each item surely has all keys.
func keyed(items *apiextensions.JSONSchemaProps, keys []string) bool {
	for i, key := range keys {
		p, has := items.Properties[key]
		if !has || !isScalar(&p) || p.Default == nil && !slices.Contains(items.Required, key) || slices.Contains(keys[:i], key) {
			return false
		}
	}
	return len(keys) > 0
}

// isScalar reports whether a value is a scalar, and never null.
func isScalar(p *apiextensions.JSONSchemaProps) bool {
	return (p.Type == "string" || p.Type == "integer" || p.Type == "number" || p.Type == "boolean") && !p.Nullable
}

// recognizes reports whether a format is one of its type.
func (s *plainSchemas) recognizes(p *apiextensions.JSONSchemaProps) bool {
	if p.Format == "" {
		return true
	}
	key := [2]string{p.Type, p.Format}
	known, asked := s.formats[key]
	if !asked {
		known = len(validation.GetUnrecognizedFormats(&spec.Schema{SchemaProps: spec.SchemaProps{Format: p.Format, Type: []string{p.Type}}}, s.version)) == 0
		s.formats[key] = known
	}
	return known
}

func (s *plainSchemas) compiles(pattern string) bool {
	if pattern == "" {
		return true
	}
	ok, asked := s.patterns[pattern]
	if !asked {
		_, err := regexp.Compile(pattern)
		ok = err == nil
		s.patterns[pattern] = ok
	}
	return ok
}
