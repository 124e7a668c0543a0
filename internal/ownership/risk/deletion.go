package risk

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Counts are how many live objects of each kind the inputs have in each namespace.
type Counts map[counted]int

type counted struct {
	kind      schema.GroupKind
	namespace string
}

// Add counts an object; its namespace is empty for cluster-scoped ones.
func (c Counts) Add(kind schema.GroupKind, namespace string) { c[counted{kind, namespace}]++ }

// of counts the objects that a predicate is true for, and their namespaces.
func (c Counts) of(is func(counted) bool) (objects, namespaces int) {
	in := map[string]bool{}
	for key, n := range c {
		if is(key) {
			objects += n
			in[key.namespace] = true
		}
	}
	delete(in, "")
	return objects, len(in)
}

// deleting is what a deletion takes with the object: other objects, or data.
func (f *finder) deleting(given Counts) []report.Risk {
	says := f.goesWith(given)
	if f.Outcome != report.Configured || says.IsZero() {
		return nil
	}
	return []report.Risk{f.risk(DeletesMore, "", f.Manager, says)}
}

// goesWith says what goes with a deleted object; empty for nothing that is known.
func (f *finder) goesWith(given Counts) text.Text {
	value := func(path ...string) string {
		s, _ := fieldtree.Value(f.Live, path...).(string)
		return s
	}
	switch schema.FromAPIVersionAndKind(f.Target.APIVersion, f.Target.Kind).GroupKind() {
	case schema.GroupKind{Kind: "Namespace"}:
		n, _ := given.of(func(c counted) bool { return c.namespace == f.Target.Name })
		return text.New("deleting the namespace %v deletes all objects in it%v", text.Name(f.Target.Name), amongThem(n, 0))
	case schema.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}:
		kind := schema.GroupKind{Group: value("spec", "group"), Kind: value("spec", "names", "kind")}
		n, namespaces := given.of(func(c counted) bool { return c.kind == kind })
		return text.New("deleting the definition %v deletes all objects of its kind%v", text.Name(f.Target.Name), amongThem(n, namespaces))
	case schema.GroupKind{Kind: "PersistentVolumeClaim"}:
		if value("spec", "volumeName") != "" {
			return text.New("deleting the claim deletes its data, unless the reclaim policy of its volume is Retain")
		}
	case schema.GroupKind{Kind: "PersistentVolume"}:
		if policy := value("spec", "persistentVolumeReclaimPolicy"); policy == "Delete" || policy == "Recycle" {
			return text.New("deleting the volume deletes its data: its reclaim policy is %v", text.Name(policy))
		}
	case schema.GroupKind{Group: "apps", Kind: "StatefulSet"}:
		finalizers, _ := fieldtree.Value(f.Object, "metadata", "finalizers").([]any)
		if value("spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted") == "Delete" && !slices.Contains(finalizers, any("orphan")) {
			return text.New("deleting the StatefulSet deletes the PersistentVolumeClaims of its Pods: its retention policy is Delete")
		}
	}
	return text.Text{}
}

// amongThem says how many of the objects are in the live files.
func amongThem(objects, namespaces int) text.Text {
	switch {
	case objects == 0:
		return text.New("; the live files have none")
	case namespaces > 1:
		return text.New(", %v of them in the live files, in %v", text.Number(objects), text.Count(namespaces, "namespace"))
	}
	return text.New(", %v of them in the live files", text.Number(objects))
}
