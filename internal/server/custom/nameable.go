package custom

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
)

// A kind that no built-in group serves is one of a CustomResourceDefinition, or
// of an aggregated API server. The rules for names are those by which a server
// accepts the one (apiextensions-apiserver, pkg/apis/apiextensions/validation)
// and the other (kube-aggregator, pkg/apis/apiregistration/validation).

// NameableVersion reports whether a server can have the group version: if not,
// nobody can serve it.
func NameableVersion(gv schema.GroupVersion) bool {
	return len(validation.IsDNS1123Subdomain(gv.Group)) == 0 && len(validation.IsDNS1035Label(gv.Version)) == 0
}

// definable reports whether a CustomResourceDefinition can define the kind.
func definable(kind schema.GroupVersionKind) bool {
	return NameableVersion(kind.GroupVersion()) && strings.Contains(kind.Group, ".") &&
		len(validation.IsDNS1035Label(strings.ToLower(kind.Kind))) == 0
}
