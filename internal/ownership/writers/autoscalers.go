package writers

import (
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Replicas is the field that autoscalers write.
const Replicas = ".spec.replicas"

// autoscalers are the kinds that are known: what they scale is in .spec.scaleTargetRef.
var autoscalers = map[schema.GroupKind]bool{
	{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}: true,
	{Group: "keda.sh", Kind: "ScaledObject"}:                true,
}

// Scaled is what an autoscaler scales; false for objects of other kinds, and for one
// that names nothing.
func Scaled(kind schema.GroupKind, object map[string]any) (Reference, bool) {
	if !autoscalers[kind] {
		return Reference{}, false
	}
	return ReferenceOf(object, "spec", "scaleTargetRef")
}

// Reference is an object that another one names, in its own namespace.
type Reference struct{ Group, Kind, Name string }

// ReferenceOf reads a reference at a path of an object. As in autoscalers, what it
// leaves out means a Deployment. It is false without a name.
func ReferenceOf(object map[string]any, path ...string) (Reference, bool) {
	ref, _ := fieldtree.Value(object, path...).(map[string]any)
	apiVersion, out := "apps/v1", Reference{Kind: "Deployment"}
	set(&apiVersion, ref["apiVersion"])
	set(&out.Kind, ref["kind"])
	set(&out.Name, ref["name"])
	out.Group = groupOf(apiVersion)
	return out, out.Name != ""
}

func set(to *string, v any) {
	if s, ok := v.(string); ok && s != "" {
		*to = s
	}
}

func nameOf(object map[string]any) string {
	name, _ := fieldtree.Value(object, "metadata", "name").(string)
	return name
}

func groupOf(apiVersion string) string {
	group, _, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		return ""
	}
	return group
}

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
	annotations, _ := fieldtree.Value(object, "metadata", "annotations").(map[string]any)
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
