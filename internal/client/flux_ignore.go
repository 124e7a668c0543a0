package client

import (
	"regexp"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// settle leaves an ignored path to another manager that applies it, or gives it the live
// value, where it drifted (fluxcd/pkg/ssa, computeDriftedPaths); false where the manifest
// lacks what should have the live value, which ends the reconciliation.
func (f *flux) settle(p pointer, manifest, live, tried map[string]any) bool {
	was, had := p.get(live)
	is, has := p.get(tried)
	if had == has && same(was, is) {
		return true
	}
	if f.appliedByAnother(p, live) {
		p.remove(manifest)
		return true
	}
	_, asked := p.get(manifest)
	if asked {
		p.set(manifest, was)
	}
	return asked
}

// appliedByAnother reports whether another manager applies what is at a path.
func (f *flux) appliedByAnother(p pointer, live map[string]any) bool {
	for _, owned := range managedfields.Of(live).Paths() {
		within := func(at pointer) bool { return len(at) >= len(p) && slices.Equal(at[:len(p)], p) }
		if slices.ContainsFunc(located(owned.Path, live), within) && slices.ContainsFunc(owned.By, func(e managedfields.Entry) bool {
			return e.Operation == managedfields.Apply && e.Subresource == "" && e.Manager != f.Manager
		}) {
			return true
		}
	}
	return false
}

// ignoreRule is a rule of spec.ignore.
type ignoreRule struct {
	// target selects objects; nil selects all.
	target map[string]any
	paths  []pointer
}

// rulesFor are the paths that are ignored in an object.
func (f *flux) rulesFor(object map[string]any) []pointer {
	var out []pointer
	for _, rule := range f.ignored {
		if rule.matches(&unstructured.Unstructured{Object: object}) {
			out = append(out, rule.paths...)
		}
	}
	return out
}

func (r ignoreRule) matches(u *unstructured.Unstructured) bool {
	kind := u.GroupVersionKind()
	for key, value := range map[string]string{"group": kind.Group, "version": kind.Version, "kind": kind.Kind, "name": u.GetName(), "namespace": u.GetNamespace()} {
		if pattern := text(r.target, key); pattern != "" && !matchesWhole(pattern, value) {
			return false
		}
	}
	selects := func(key string, values map[string]string) bool {
		selector, err := labels.Parse(text(r.target, key))
		return err == nil && selector.Matches(labels.Set(values))
	}
	return selects("labelSelector", u.GetLabels()) && selects("annotationSelector", u.GetAnnotations())
}

func matchesWhole(pattern, value string) bool {
	re, err := regexp.Compile("^(?:" + pattern + ")$")
	return err == nil && re.MatchString(value)
}
