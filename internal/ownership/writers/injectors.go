package writers

import "strings"

// Injector writes CA bundles into objects that ask for it.
type Injector struct {
	// Name is who that is, and Manager its field manager.
	Name, Manager string
}

var (
	certManager = Injector{"cert-manager", "cert-manager-cainjector"}
	openShift   = Injector{"OpenShift's service CA operator", "service-ca-operator"}
)

// injectors are the annotations by which somebody else writes CA bundles into an
// object.
var injectors = map[string]Injector{
	"cert-manager.io/inject-ca-from":            certManager,
	"cert-manager.io/inject-ca-from-secret":     certManager,
	"cert-manager.io/inject-apiserver-ca":       certManager,
	"service.beta.openshift.io/inject-cabundle": openShift,
	"certmanager.k8s.io/inject-ca-from":         certManager,
}

// InjectorOf is who an object's annotations ask to write CA bundles into it; without a
// name for nobody.
func InjectorOf(object map[string]any) Injector {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	var by Injector
	for name, who := range injectors {
		if _, has := annotations[name]; has && who.Name > by.Name {
			by = who
		}
	}
	return by
}

// IsInjected reports whether a field path is one that injectors write.
func IsInjected(field string) bool { return strings.HasSuffix(field, ".caBundle") }
