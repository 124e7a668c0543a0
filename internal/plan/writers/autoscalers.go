package writers

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/report"
)

// Replicas is the field that autoscalers write.
const Replicas = ".spec.replicas"

// scaled names an object that an autoscaler scales.
type scaled struct{ namespace, group, kind, name string }

// Autoscalers are those among the inputs, by what they scale. The zero value has
// none.
type Autoscalers map[scaled]string

// autoscalers are the kinds that are known, with the field that names what they
// scale.
var autoscalers = map[schema.GroupKind][]string{
	{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}: {"spec", "scaleTargetRef"},
	{Group: "keda.sh", Kind: "ScaledObject"}:                {"spec", "scaleTargetRef"},
}

// IsAutoscaler reports whether objects of a kind scale others.
func IsAutoscaler(kind schema.GroupKind) bool { return autoscalers[kind] != nil }

// Add notes an autoscaler, in the namespace that it is in.
func (a Autoscalers) Add(kind schema.GroupKind, namespace string, object map[string]any) {
	ref, ok := Scaled(kind, object)
	name := nameOf(object)
	if ok && name != "" {
		a[scaled{namespace, ref.Group, ref.Kind, ref.Name}] = fmt.Sprintf("%s %s", kind.Kind, name)
	}
}

// Scaled is what an autoscaler scales; false for objects of other kinds, and for one
// that names nothing.
func Scaled(kind schema.GroupKind, object map[string]any) (Reference, bool) {
	path, known := autoscalers[kind]
	if !known {
		return Reference{}, false
	}
	return ReferenceOf(object, path...)
}

// Of names the autoscaler that scales an object; empty for none.
func (a Autoscalers) Of(t report.Target) string {
	return a[scaled{t.Namespace, groupOf(t.APIVersion), t.Kind, t.Name}]
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
