package server

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/ssactl/ssactl/internal/gotree"
)

// The unions among the types of custom resource definitions (apiextensions, v1/marshal.go).
// As schemas hold each other through them, at any depth, going by their text would mean
// reading the innermost as often as it is deep.
func init() {
	gotree.Joins[apiextensionsv1.JSONSchemaPropsOrArray](gotree.Union{Object: "Schema", List: "JSONSchemas"})
	gotree.Joins[apiextensionsv1.JSONSchemaPropsOrStringArray](gotree.Union{Object: "Schema", List: "Property"})
	gotree.Joins[apiextensionsv1.JSONSchemaPropsOrBool](gotree.Union{Object: "Schema", Flag: "Allows"})
}
