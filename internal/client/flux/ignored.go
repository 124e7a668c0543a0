package flux

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// omissions are the paths of spec.ignore that are about an object.
func (f *flux) omissions(w map[string]any) (out []client.Omission) {
	key := client.KeyIn(about.Kustomizations, f.namespace, f.name)
	for _, rule := range f.rulesOf(w) {
		o := client.Omission{Setting: "--ignore-path"}
		if rule.at != nil {
			o = client.Omission{Setting: "spec.ignore of the Kustomization " + f.name, Source: f.SettingLine(key, rule.at)}
		}
		o.Covers = func(at []objects.Pointer) bool {
			return slices.ContainsFunc(at, func(p objects.Pointer) bool {
				return slices.ContainsFunc(rule.paths, func(ignored objects.Pointer) bool {
					n := min(len(p), len(ignored))
					return slices.Equal(p[:n], ignored[:n])
				})
			})
		}
		out = append(out, o)
	}
	return out
}

// ignoreRule is a rule of spec.ignore.
type ignoreRule struct {
	// target selects objects; nil selects all.
	target map[string]any
	paths  []objects.Pointer
	// at is where the Kustomization has it; nil for a flag.
	at fieldpath.Path
}

// rulesFor are the paths that are ignored in an object.
func (f *flux) rulesFor(object map[string]any) []objects.Pointer {
	var out []objects.Pointer
	for _, rule := range f.rulesOf(object) {
		out = append(out, rule.paths...)
	}
	return out
}

// rulesOf are the rules that are about an object.
func (f *flux) rulesOf(object map[string]any) []ignoreRule {
	return slices.DeleteFunc(slices.Clone(f.ignored), func(rule ignoreRule) bool {
		return !rule.matches(&unstructured.Unstructured{Object: object})
	})
}

func (r ignoreRule) matches(u *unstructured.Unstructured) bool {
	kind := u.GroupVersionKind()
	for key, value := range map[string]string{
		"group": kind.Group, "version": kind.Version, "kind": kind.Kind,
		"name": u.GetName(), "namespace": u.GetNamespace(),
	} {
		pattern := objects.Text(r.target, key)
		if re, err := regexp.Compile("^(?:" + pattern + ")$"); pattern != "" && (err != nil || !re.MatchString(value)) {
			return false
		}
	}
	selects := func(key string, values map[string]string) bool {
		selector, err := labels.Parse(objects.Text(r.target, key))
		return err == nil && selector.Matches(labels.Set(values))
	}
	return selects("labelSelector", u.GetLabels()) && selects("annotationSelector", u.GetAnnotations())
}

// settle leaves an ignored path to another manager that applies it, or gives it the live
// value, where it drifted (fluxcd/pkg/ssa, computeDriftedPaths); false where the manifest
// lacks what should have the live value, which ends the reconciliation.
func (f *flux) settle(p objects.Pointer, manifest, live, tried map[string]any) bool {
	was, had := p.Get(live)
	is, has := p.Get(tried)
	if had == has && reflect.DeepEqual(was, is) {
		return true
	}
	if f.appliedByAnother(p, live) {
		p.Remove(manifest)
		return true
	}
	_, asked := p.Get(manifest)
	if asked {
		p.Set(manifest, was)
	}
	return asked
}

// appliedByAnother reports whether another manager applies what is at a path.
func (f *flux) appliedByAnother(p objects.Pointer, live map[string]any) bool {
	for _, owned := range managedfields.Of(live).Paths() {
		within := func(at objects.Pointer) bool { return len(at) >= len(p) && slices.Equal(at[:len(p)], p) }
		if slices.ContainsFunc(objects.Located(owned.Path, live), within) &&
			slices.ContainsFunc(owned.By, func(e managedfields.Entry) bool {
				return e.Operation == managedfields.Apply && e.Subresource == "" && e.Manager != f.Manager
			}) {
			return true
		}
	}
	return false
}

// skipping is the label or annotation by which Flux leaves an object alone; false for none.
func skipping(w engine.Write, manifest, live map[string]any) (client.Omission, bool) {
	for _, s := range []struct {
		key, value string
		ifLive     bool
	}{{"reconcile", "disabled", false}, {"ssa", "Ignore", false}, {"ssa", "IfNotPresent", true}} {
		values := map[string]string{fluxGroup + s.key: s.value}
		said := fluxGroup + s.key + ": " + s.value
		switch {
		case s.ifLive && live == nil:
		case objects.HasAny(manifest, values):
			return client.Omission{
				Setting: said,
				Source:  lineOfKey(w.Locator, fluxGroup+s.key, s.value, manifest, &w.Source),
				Covers:  allBut(fluxGroup + s.key),
			}, true
		case !s.ifLive && objects.HasAny(live, values):
			return client.Omission{
				Setting: said + " on the live object",
				Source:  lineOfKey(w.LiveLocator, fluxGroup+s.key, s.value, live, w.LiveSource),
				Covers:  allBut(fluxGroup + s.key),
			}, true
		}
	}
	return client.Omission{}, false
}

// allBut is about all fields but the label or annotation that is the setting itself.
func allBut(key string) func([]objects.Pointer) bool {
	return func(at []objects.Pointer) bool {
		return slices.ContainsFunc(at, func(p objects.Pointer) bool {
			return !slices.Equal(p, objects.Pointer{"metadata", "annotations", key}) &&
				!slices.Equal(p, objects.Pointer{"metadata", "labels", key})
		})
	}
}

// lineOfKey is where an object has a label or annotation, or else where the object starts.
func lineOfKey(l report.Locator, key, value string, object map[string]any, start *report.Source) *report.Source {
	if l == nil {
		return start
	}
	of := "annotations"
	if strings.EqualFold(objects.Labels(object)[key], value) {
		of = "labels"
	}
	if at, is := l.Line(fieldpath.MakePathOrDie("metadata", of, key)); is {
		return &at
	}
	return start
}
