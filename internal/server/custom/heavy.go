package custom

import (
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/ssactl/ssactl/internal/server/api"
)

// light is an error where a definition has a regular expression, or a rule, that takes too
// much memory to be matched here.
func light(crd *apiextensionsv1.CustomResourceDefinition) error {
	for _, v := range crd.Spec.Versions {
		if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
			continue
		}
		if field := heavy(v.Schema.OpenAPIV3Schema); field != "" {
			return fmt.Errorf(
				"the version %s has a pattern with too many groups to be matched here: openAPIV3Schema%s",
				v.Name,
				field,
			)
		}
	}
	return nil
}

// heavy is where a schema has a heavy pattern; empty for nowhere.
func heavy(s *apiextensionsv1.JSONSchemaProps) string {
	if api.HeavyPattern(s.Pattern) {
		return ".pattern"
	}
	for _, rule := range s.XValidations {
		if api.HeavyPattern(rule.Rule) || api.HeavyPattern(rule.MessageExpression) {
			return ".x-kubernetes-validations"
		}
	}
	for key, below := range s.Properties {
		if field := heavy(&below); field != "" {
			return ".properties[" + key + "]" + field
		}
	}
	for _, below := range []struct {
		name   string
		schema *apiextensionsv1.JSONSchemaProps
	}{{".items", itemsOf(s)}, {".additionalProperties", additionalOf(s)}, {".not", s.Not}} {
		if below.schema == nil {
			continue
		}
		if field := heavy(below.schema); field != "" {
			return below.name + field
		}
	}
	for _, below := range []struct {
		name    string
		schemas []apiextensionsv1.JSONSchemaProps
	}{{".allOf", s.AllOf}, {".anyOf", s.AnyOf}, {".oneOf", s.OneOf}} {
		for i := range below.schemas {
			if field := heavy(&below.schemas[i]); field != "" {
				return fmt.Sprintf("%s[%d]%s", below.name, i, field)
			}
		}
	}
	return ""
}

func itemsOf(s *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	if s.Items == nil {
		return nil
	}
	return s.Items.Schema
}

func additionalOf(s *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	if s.AdditionalProperties == nil {
		return nil
	}
	return s.AdditionalProperties.Schema
}
