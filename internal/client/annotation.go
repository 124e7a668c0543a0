package client

import (
	"maps"
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/csaupgrade"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/report"
)

// LastApplied is the annotation in which kubectl keeps the manifest of its last
// client-side apply.
const LastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// LastAppliedField is the field path of the annotation, and LastAppliedPointer its JSON
// pointer.
const (
	LastAppliedField   = ".metadata.annotations." + LastApplied
	LastAppliedPointer = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration"
)

// LastAppliedPath is the path of the annotation.
var LastAppliedPath = fieldpath.MakePathOrDie("metadata", "annotations", LastApplied)

// AnnotationUpdaters are the managers of the Update entries that own the last-applied
// annotation, sorted, each once. kubectl takes them for client-side appliers.
func AnnotationUpdaters(object map[string]any) []string {
	return annotationOwners(object, metav1.ManagedFieldsOperationUpdate)
}

// annotationOwners are the managers of the entries of an operation that own the
// annotation.
func annotationOwners(object map[string]any, operation metav1.ManagedFieldsOperationType) []string {
	if !namesAnnotation(object) {
		return nil
	}
	owners, err := guard.Value(func() (names []string, _ error) {
		for _, e := range csaupgrade.FindFieldsOwners(objects.Entries(object), operation, fieldpath.NewSet(LastAppliedPath)) {
			names = append(names, e.Manager)
		}
		return names, nil
	})
	if err != nil {
		return nil
	}
	slices.Sort(owners)
	return slices.Compact(owners)
}

// namesAnnotation reports whether an entry names the annotation, without reading the
// others: most objects have none that does.
func namesAnnotation(object map[string]any) bool {
	metadata, _ := object["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	return slices.ContainsFunc(list, func(item any) bool {
		at := item
		for _, key := range []string{"fieldsV1", "f:metadata", "f:annotations", "f:" + LastApplied} {
			fields, _ := at.(map[string]any)
			if at = fields[key]; at == nil {
				return false
			}
		}
		return true
	})
}

// Annotation is the last-applied annotation; false without.
func Annotation(object map[string]any) (any, bool) {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	text, ok := annotations[LastApplied]
	return text, ok
}

// LastManifest is the text of the annotation; nil without.
func LastManifest(object map[string]any) []byte {
	last, _ := Annotation(object)
	text, _ := last.(string)
	return []byte(text)
}

// Upgrade is an object, which shares all else with the given one, whose Update entries of managers join the Apply entry
// of another, as client-go's csaupgrade merges them; nil where no entry changes.
// Upstream takes the managers in no order; here they come as given.
func Upgrade(object map[string]any, managers []string, to, subresource string) (map[string]any, error) {
	return guard.Value(func() (map[string]any, error) {
		before := objects.Entries(object)
		var o metav1.PartialObjectMetadata
		o.ManagedFields = slices.Clone(before)
		for _, name := range managers {
			if err := csaupgrade.UpgradeManagedFields(&o, sets.New(name), to, csaupgrade.Subresource(subresource)); err != nil {
				return nil, err
			}
		}
		// Upstream compares bytes, and would also patch where the same fields only
		// stand in another order.
		if reflect.DeepEqual(o.ManagedFields, before) {
			return nil, nil
		}
		metadata, _ := object["metadata"].(map[string]any)
		u := unstructured.Unstructured{Object: maps.Clone(object)}
		u.Object["metadata"] = maps.Clone(metadata)
		u.SetManagedFields(o.ManagedFields)
		return u.Object, nil
	})
}

// Operation is one operation of a JSON patch.
type Operation = report.PatchOperation

// UpgradePatch is the JSON patch by which upstream makes of an object what Upgrade
// does: it replaces the resourceVersion, so that another state is refused with 409.
func UpgradePatch(upgraded map[string]any) []Operation {
	u := &unstructured.Unstructured{Object: upgraded}
	var entries any
	if list := u.GetManagedFields(); len(list) > 0 {
		entries = list
	}
	return []Operation{
		{Op: "replace", Path: "/metadata/managedFields", Value: entries},
		{Op: "replace", Path: "/metadata/resourceVersion", Value: u.GetResourceVersion()},
	}
}
