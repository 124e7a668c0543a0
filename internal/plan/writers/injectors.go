package writers

import "strings"

// injectors are the annotations by which somebody else writes CA bundles into an
// object.
var injectors = map[string]string{
	"cert-manager.io/inject-ca-from":            "cert-manager",
	"cert-manager.io/inject-ca-from-secret":     "cert-manager",
	"cert-manager.io/inject-apiserver-ca":       "cert-manager",
	"service.beta.openshift.io/inject-cabundle": "OpenShift's service CA operator",
	"certmanager.k8s.io/inject-ca-from":         "cert-manager",
}

// InjectorOf names who an object's annotations ask to write CA bundles into it; empty
// for nobody.
func InjectorOf(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	by := ""
	for name, who := range injectors {
		if _, has := annotations[name]; has && who > by {
			by = who
		}
	}
	return by
}

// IsInjected reports whether a field path is one that injectors write.
func IsInjected(field string) bool { return strings.HasSuffix(field, ".caBundle") }
