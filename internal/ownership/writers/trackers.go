package writers

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
)

// Tracker is an object by which a GitOps agent applies others: an Application of Argo CD, or a
// Kustomization of Flux.
type Tracker struct{ Kind, Namespace, Name string }

// String is KIND NAME, as claims name objects.
func (t Tracker) String() string { return t.Kind + " " + t.Name }

// Trackers are those of the inputs, with the objects that each has applied.
type Trackers struct {
	all []Tracker
	of  map[string][]Tracker
}

// TrackersOf are the Applications and Kustomizations among objects. What they have applied is
// in their status: the resources of an Application, and the inventory of a Kustomization.
func TrackersOf(objects []map[string]any) Trackers {
	out := Trackers{of: map[string][]Tracker{}}
	for _, object := range objects {
		kind, _ := object["kind"].(string)
		namespace, _ := fieldtree.Value(object, "metadata", "namespace").(string)
		t := Tracker{kind, namespace, nameOf(object)}
		var applied []string
		switch kind {
		case "Application":
			applied = resourcesOf(object)
		case "Kustomization":
			applied = inventoryOf(object)
		default:
			continue
		}
		out.all = append(out.all, t)
		for _, id := range applied {
			out.of[id] = append(out.of[id], t)
		}
	}
	return out
}

// Named reports whether there is one of a kind and name.
func (t Trackers) Named(kind, name string) bool {
	return slices.ContainsFunc(t.all, func(one Tracker) bool { return one.Kind == kind && one.Name == name })
}

// Of are those that have applied an object, in the order of the inputs.
func (t Trackers) Of(target report.Target) []Tracker {
	return t.of[idOf(target.Namespace, target.Name, groupOf(target.APIVersion), target.Kind)]
}

// idOf is an object as the inventory of Flux names it (fluxcd/cli-utils,
// pkg/object/objmetadata.go): a colon, which names of roles may have, is written as two
// underscores.
func idOf(namespace, name, group, kind string) string {
	return strings.Join([]string{namespace, strings.ReplaceAll(name, ":", "__"), group, kind}, "_")
}

func inventoryOf(kustomization map[string]any) (ids []string) {
	entries, _ := fieldtree.Value(kustomization, "status", "inventory", "entries").([]any)
	for _, e := range entries {
		entry, _ := e.(map[string]any)
		if id, _ := entry["id"].(string); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// resourcesOf are the objects of an Application, but for those that it is about to prune.
func resourcesOf(application map[string]any) (ids []string) {
	resources, _ := fieldtree.Value(application, "status", "resources").([]any)
	for _, r := range resources {
		resource, _ := r.(map[string]any)
		text := func(key string) string { s, _ := resource[key].(string); return s }
		if text("name") != "" && resource["requiresPruning"] != true {
			ids = append(ids, idOf(text("namespace"), text("name"), text("group"), text("kind")))
		}
	}
	return ids
}
