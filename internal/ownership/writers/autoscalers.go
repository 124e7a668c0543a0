package writers

import (
	"strings"

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
	target := any(object)
	for _, name := range path {
		m, _ := target.(map[string]any)
		target = m[name]
	}
	ref, _ := target.(map[string]any)
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
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	return name
}

func groupOf(apiVersion string) string {
	group, _, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		return ""
	}
	return group
}
