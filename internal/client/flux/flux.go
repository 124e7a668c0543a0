// Package flux is the client Flux, a reconciliation of a Kustomization: its stages (stages.go), what it makes
// of a manifest (manifest.go), what it sends for it (apply.go), whose entries it takes over (takeover.go), and
// what it leaves out (ignored.go).
package flux

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/client/objects"
)

const fluxGroup = "kustomize.toolkit.fluxcd.io/"

// flux is a reconciliation of a Kustomization.
type flux struct {
	*client.Client
	// name and namespace are those of the Kustomization; empty where it is not known.
	name, namespace string
	prune, force    bool
	// inventory are the identities of what it applied last; nil where the Kustomization
	// does not say it.
	inventory map[string]bool
	taken     []takenManager
	ignored   []ignoreRule
	common    map[string]any
	// substitutes and decrypts say what the Kustomization does after the build.
	substitutes, decrypts bool
}

// New is a reconciliation of kustomize-controller (kustomization_controller.go,
// apply, and fluxcd/pkg/ssa, manager_apply.go, ApplyAllStaged).
func New(version string, s client.Settings) (*client.Client, error) {
	c := client.Of(about.Flux, version, s)
	c.Force, c.Stops = true, true
	f := newFlux(c, s)
	b := client.Behavior{Send: f.apply, Plan: f.stages, Sort: inStages, Doubts: f.doubts}
	if f.name != "" {
		b.Foreign = f.foreignTo
	}
	c.Behave(b)
	c.Prunes = f.prunes
	return c, nil
}

func newFlux(c *client.Client, s client.Settings) *flux {
	f := &flux{Client: c, prune: s.Prune, force: s.Force, taken: []takenManager{
		{"kubectl", metav1.ManagedFieldsOperationApply}, {"kubectl", metav1.ManagedFieldsOperationUpdate},
		{"before-first-apply", metav1.ManagedFieldsOperationUpdate}, {c.Manager, metav1.ManagedFieldsOperationUpdate},
	}}
	for _, name := range s.OverrideManagers {
		f.taken = append(
			f.taken,
			takenManager{name, metav1.ManagedFieldsOperationApply},
			takenManager{name, metav1.ManagedFieldsOperationUpdate},
		)
	}
	if len(s.IgnorePaths) > 0 {
		f.ignored = append(f.ignored, ignoreRule{paths: objects.Pointers(s.IgnorePaths)})
	}
	k := c.Choose(s, about.Kustomizations, client.Owner{Of: kustomizationOf, Names: isKustomization})
	if k != nil {
		f.read(k)
	} else if !s.Prune {
		c.Decides = decides
	}
	return f
}

// kustomizationOf is the Kustomization that the labels of a live object name, with its
// namespace where they have one.
func kustomizationOf(live map[string]any) (name string, certain bool) {
	labels := objects.Labels(live)
	if name = labels[fluxGroup+"name"]; name == "" {
		return "", false
	}
	if namespace := labels[fluxGroup+"namespace"]; namespace != "" {
		name = namespace + "/" + name
	}
	return name, true
}

func isKustomization(name string, k *unstructured.Unstructured) bool {
	return name == k.GetName() || name == k.GetNamespace()+"/"+k.GetName() ||
		k.GetNamespace() == "" && strings.HasSuffix(name, "/"+k.GetName())
}

// foreignTo is the other Kustomization that a live object is of; empty for none.
func (f *flux) foreignTo(live map[string]any) string {
	name, _ := kustomizationOf(live)
	own := map[string]any{"metadata": map[string]any{"name": f.name, "namespace": f.namespace}}
	if name == "" || isKustomization(name, &unstructured.Unstructured{Object: own}) {
		return ""
	}
	return name
}

// read takes the settings of a Kustomization.
func (f *flux) read(k map[string]any) {
	f.name, f.namespace = objects.Text(k, "metadata", "name"), objects.Text(k, "metadata", "namespace")
	f.force, f.prune = f.force || objects.Truth(k, "spec", "force"), f.prune || objects.Truth(k, "spec", "prune")
	_, f.substitutes, _ = unstructured.NestedMap(k, "spec", "postBuild")
	_, f.decrypts, _ = unstructured.NestedMap(k, "spec", "decryption")
	f.common, _, _ = unstructured.NestedMap(k, "spec", "commonMetadata")
	if entries := objects.List(k, "status", "inventory", "entries"); entries != nil {
		f.inventory = map[string]bool{}
		for _, item := range entries {
			entry, _ := item.(map[string]any)
			f.inventory[objects.Text(entry, "id")] = true
		}
	}
	for i, item := range objects.List(k, "spec", "ignore") {
		rule, _ := item.(map[string]any)
		target, has, _ := unstructured.NestedMap(rule, "target")
		r := ignoreRule{
			paths: objects.Pointers(objects.Texts(objects.List(rule, "paths"))),
			at:    fieldpath.MakePathOrDie("spec", "ignore", i),
		}
		if has {
			r.target = target
		}
		f.ignored = append(f.ignored, r)
	}
}

// decides is what decides of a live object without a manifest, where the Kustomization is not known.
func decides(live map[string]any) client.Deciding {
	if keeps(live) {
		return client.Deciding{}
	}
	return client.Deciding{Object: "Kustomization", If: "prunes"}
}

// keeps reports whether a live object says that it stays.
func keeps(live map[string]any) bool {
	return objects.HasAny(live, map[string]string{
		fluxGroup + "prune":     "disabled",
		fluxGroup + "reconcile": "disabled",
		fluxGroup + "ssa":       "Ignore",
	})
}

// prunes reports whether the reconciliation deletes a live object.
func (f *flux) prunes(key client.Key, object func() map[string]any) (string, bool) {
	if !f.prune || f.name == "" {
		return "", false
	}
	if f.inventory != nil &&
		!f.inventory[key.Namespace+"_"+strings.ReplaceAll(key.Name, ":", "__")+"_"+key.Group+"_"+key.Kind] {
		return "", false
	}
	live := object()
	owner := objects.Labels(live)
	ours := owner[fluxGroup+"name"] == f.name && owner[fluxGroup+"namespace"] == f.namespace
	return "Background", ours && !keeps(live)
}
