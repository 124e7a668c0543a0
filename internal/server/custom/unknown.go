package custom

import (
	"encoding/json"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/ssactl/ssactl/internal/server/api"
)

// undefined is the definition of an undefined kind: without a schema, every key is a field
// and every list atomic. It has the scope of the call, and the subresources that the live
// object's managed fields show.
func undefined(call api.Request) *apiextensionsv1.CustomResourceDefinition {
	preserve := true
	scope := apiextensionsv1.ClusterScoped
	if call.Namespace != "" {
		scope = apiextensionsv1.NamespaceScoped
	}
	version := apiextensionsv1.CustomResourceDefinitionVersion{
		Name: call.Kind.Version, Served: true, Storage: true,
		Schema: &apiextensionsv1.CustomResourceValidation{
			OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &preserve},
		},
	}
	uid := []string{"undefined", call.Kind.Version, string(scope)}
	seen := witnessedSubresources(call)
	if seen["status"] || seen["scale"] {
		version.Subresources = &apiextensionsv1.CustomResourceSubresources{}
	}
	if seen["status"] {
		uid = append(uid, "status")
		version.Subresources.Status = &apiextensionsv1.CustomResourceSubresourceStatus{}
	}
	if seen["scale"] {
		uid = append(uid, "scale")
		version.Subresources.Scale = &apiextensionsv1.CustomResourceSubresourceScale{
			SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas",
		}
	}
	crd := &apiextensionsv1.CustomResourceDefinition{
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: call.Kind.Group,
			Scope: scope,
			Names: apiextensionsv1.CustomResourceDefinitionNames{
				Plural:   guessResource(call.Kind),
				Singular: strings.ToLower(call.Kind.Kind),
				Kind:     call.Kind.Kind,
				ListKind: call.Kind.Kind + "List",
			},
			Versions:   []apiextensionsv1.CustomResourceDefinitionVersion{version},
			Conversion: &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter},
		},
	}
	crd.Name = crd.Spec.Names.Plural + "." + crd.Spec.Group
	return establish(crd, strings.Join(uid, "-"))
}

func guessResource(kind schema.GroupVersionKind) string {
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	return plural.Resource
}

func witnessedSubresources(call api.Request) map[string]bool {
	seen := map[string]bool{call.Subresource: true}
	var live struct {
		Metadata struct {
			ManagedFields []struct {
				Subresource string `json:"subresource"`
			} `json:"managedFields"`
		} `json:"metadata"`
	}
	if call.Live != nil && json.Unmarshal(call.Live, &live) == nil {
		for _, entry := range live.Metadata.ManagedFields {
			seen[entry.Subresource] = true
		}
	}
	return seen
}

// An unknown kind is custom, or of an aggregated API server. The rules for names are those
// of apiextensions-apiserver (pkg/apis/apiextensions/validation) and kube-aggregator
// (pkg/apis/apiregistration/validation).

// NameableVersion reports whether any server can serve the group version.
func NameableVersion(gv schema.GroupVersion) bool {
	return len(validation.IsDNS1123Subdomain(gv.Group)) == 0 && len(validation.IsDNS1035Label(gv.Version)) == 0
}

// definable reports whether a CustomResourceDefinition can define the kind.
func definable(kind schema.GroupVersionKind) bool {
	return NameableVersion(kind.GroupVersion()) && strings.Contains(kind.Group, ".") &&
		len(validation.IsDNS1035Label(strings.ToLower(kind.Kind))) == 0
}
