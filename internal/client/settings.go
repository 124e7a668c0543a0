package client

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/ssactl/ssactl/internal/engine"
)

// releasePrefix begins the names of the Secrets in which Helm keeps releases.
const releasePrefix = "sh.helm.release.v1."

var (
	applications   = schema.GroupKind{Group: "argoproj.io", Kind: "Application"}
	kustomizations = schema.GroupKind{Group: "kustomize.toolkit.fluxcd.io", Kind: "Kustomization"}
	secrets        = schema.GroupKind{Kind: "Secret"}
)

// IsSetting reports whether clients take settings from an object.
func IsSetting(kind schema.GroupKind, name string) bool {
	return kind == applications || kind == kustomizations || kind == secrets && strings.HasPrefix(name, releasePrefix)
}

// settingsOf are the objects of a kind among those that clients take settings from.
func settingsOf(objects []map[string]any, kind schema.GroupKind) []*unstructured.Unstructured {
	var out []*unstructured.Unstructured
	for _, object := range objects {
		u := &unstructured.Unstructured{Object: object}
		if u.GroupVersionKind().GroupKind() == kind {
			out = append(out, u)
		}
	}
	return out
}

// setting is the object of a kind by which a client goes: the only one, or of several the
// one that most live objects are of; nil for none. Owner gives what a live object is of,
// without a namespace where it does not say it.
func (c *Client) setting(s Settings, kind schema.GroupKind, owner func(live map[string]any) types.NamespacedName) map[string]any {
	all := settingsOf(s.Objects, kind)
	if len(all) == 1 {
		return all[0].Object
	}
	names := make([]types.NamespacedName, len(all))
	for i, u := range all {
		names[i] = types.NamespacedName{Namespace: u.GetNamespace(), Name: u.GetName()}
	}
	if i := s.most(names, owner); i >= 0 {
		return all[i].Object
	}
	if len(all) > 1 {
		c.Notices = append(c.Notices, "the inputs have several "+kind.Kind+"s, and no live object says which is its own: their settings are not used; give the one that is meant")
	}
	return nil
}

// most is the place of the name that most live objects are of; -1 where there is no such
// one.
func (s Settings) most(names []types.NamespacedName, owner func(live map[string]any) types.NamespacedName) int {
	if s.Live == nil || len(names) == 0 {
		return -1
	}
	counts := make([]int, len(names))
	for live := range s.Live {
		of := owner(live)
		for i, name := range names {
			if of.Name != "" && of.Name == name.Name && (of.Namespace == "" || of.Namespace == name.Namespace) {
				counts[i]++
			}
		}
	}
	best := slices.Max(counts)
	i := slices.Index(counts, best)
	if best == 0 || slices.Contains(counts[i+1:], best) {
		return -1
	}
	return i
}

func list(object map[string]any, path ...string) []any {
	out, _, _ := unstructured.NestedSlice(object, path...)
	return out
}

func text(object map[string]any, path ...string) string {
	out, _, _ := unstructured.NestedString(object, path...)
	return out
}

func truth(object map[string]any, path ...string) bool {
	out, _, _ := unstructured.NestedBool(object, path...)
	return out
}

// texts are the strings of a list.
func texts(items []any) []string {
	var out []string
	for _, item := range items {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func labelsOf(object map[string]any) map[string]string {
	return (&unstructured.Unstructured{Object: object}).GetLabels()
}

func annotationsOf(object map[string]any) map[string]string {
	return (&unstructured.Unstructured{Object: object}).GetAnnotations()
}

// managedBy reports whether an object has an entry of a manager.
func managedBy(object map[string]any, manager string) bool {
	return slices.ContainsFunc(entriesOf(object), func(e metav1.ManagedFieldsEntry) bool { return e.Manager == manager })
}

// liveOf is the live object of a write; nil for none.
func liveOf(w engine.Write) map[string]any {
	if w.LiveObject == nil && w.Live != nil {
		return decoded(w.Live)
	}
	return w.LiveObject
}

// option reports whether a comma-separated annotation has an option.
func option(object map[string]any, key, value string) bool {
	return slices.ContainsFunc(strings.Split(annotationsOf(object)[key], ","), func(s string) bool { return strings.TrimSpace(s) == value })
}
