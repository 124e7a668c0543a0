package risk

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// scaled names an object that an autoscaler scales.
type scaled struct{ namespace, group, kind, name string }

// Autoscalers are those among the inputs, by what they scale. The zero value has
// none.
type Autoscalers map[scaled]string

// kinds are the autoscalers that are known, with the field that names what they
// scale.
var kinds = map[schema.GroupKind][]string{
	{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}: {"spec", "scaleTargetRef"},
	{Group: "keda.sh", Kind: "ScaledObject"}:                {"spec", "scaleTargetRef"},
}

// IsAutoscaler reports whether objects of a kind scale others.
func IsAutoscaler(kind schema.GroupKind) bool { return kinds[kind] != nil }

// Add notes an autoscaler, in the namespace that it is in.
func (a Autoscalers) Add(kind schema.GroupKind, namespace string, object map[string]any) {
	target := any(object)
	for _, name := range kinds[kind] {
		m, _ := target.(map[string]any)
		target = m[name]
	}
	ref, _ := target.(map[string]any)
	apiVersion, targetKind, name := "apps/v1", "Deployment", ""
	set(&apiVersion, ref["apiVersion"])
	set(&targetKind, ref["kind"])
	set(&name, ref["name"])
	metadata, _ := object["metadata"].(map[string]any)
	if name == "" || metadata == nil {
		return
	}
	a[scaled{namespace, group(apiVersion), targetKind, name}] = fmt.Sprintf("%s %v", kind.Kind, metadata["name"])
}

func set(to *string, v any) {
	if s, ok := v.(string); ok && s != "" {
		*to = s
	}
}

func group(apiVersion string) string {
	group, _, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		return ""
	}
	return group
}

func (a Autoscalers) of(t report.Target) string {
	return a[scaled{t.Namespace, group(t.APIVersion), t.Kind, t.Name}]
}

// autoscaled is for replicas that the manager owns after the write though an
// autoscaler writes them.
func (f *finder) autoscaled() []report.Risk {
	if f.autoscaler == "" || f.Target.Subresource != "" || !f.owns(replicas) {
		return nil
	}
	r := f.risk(ReplicasAutoscaled, replicas, f.autoscaler,
		fmt.Sprintf("%s writes replicas, and %s sets them too: each apply sets back what was scaled", f.autoscaler, f.Manager))
	return []report.Risk{r}
}

// owns reports whether the manager owns a field by applies after the write.
func (f *finder) owns(field string) bool {
	for _, e := range managedfields.Of(f.Object).Entries {
		if e.Err != nil || e.Manager != f.Manager || e.Subresource != "" || e.Operation != f.entryOperation() {
			continue
		}
		has := false
		e.Set.Iterate(func(p fieldpath.Path) { has = has || p.String() == field })
		if has {
			return true
		}
	}
	return false
}

// entryOperation is that of the managed fields entry of the write.
func (f *finder) entryOperation() string {
	if f.Operation == report.Apply {
		return managedfields.Apply
	}
	return managedfields.Update
}

// injectors are the annotations by which somebody else writes a field into an
// object, with its last name.
var injectors = map[string]string{
	"cert-manager.io/inject-ca-from":            "cert-manager",
	"cert-manager.io/inject-ca-from-secret":     "cert-manager",
	"cert-manager.io/inject-apiserver-ca":       "cert-manager",
	"service.beta.openshift.io/inject-cabundle": "OpenShift's service CA operator",
	"certmanager.k8s.io/inject-ca-from":         "cert-manager",
}

// injected are the CA bundles that the write owns though an injector writes them.
func (f *finder) injected() []report.Risk {
	metadata, _ := f.Object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	by := ""
	for name, who := range injectors {
		if _, has := annotations[name]; has && who > by {
			by = who
		}
	}
	if by == "" {
		return nil
	}
	var out []report.Risk
	for _, row := range f.Ownership {
		mine := slices.ContainsFunc(row.Managers, func(w report.Writer) bool { return w.Manager == f.Manager && w.Operation == f.entryOperation() })
		if mine && strings.HasSuffix(row.Field, ".caBundle") {
			out = append(out, f.risk(InjectedField, row.Field, by, "an annotation has "+by+" write this field, and "+f.Manager+" sets it too: leave it out of the manifest"))
		}
	}
	return out
}
