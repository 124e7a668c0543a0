package client

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// releasePrefix begins the names of the Secrets in which Helm keeps releases.
const releasePrefix = "sh.helm.release.v1."

var (
	applications   = about.Applications
	kustomizations = about.Kustomizations
	secrets        = about.Secrets
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

// Brought is an object of the manifests that a client would take settings from. It counts
// only where no live object has them: a reviewed change is not to decide its own verdict.
type Brought struct {
	Object map[string]any
	Source report.Source
}

// owned is how live objects say whose they are.
type owned struct {
	// said is the owner that a live object names, empty for none; certain is true where
	// only the client writes that.
	said func(live map[string]any) (owner string, certain bool)
	// names reports whether an owner is an object of settings.
	names func(owner string, setting *unstructured.Unstructured) bool
}

// setting is the object of a kind by which a client goes: the one that the live objects are
// of, a live one before one of the manifests. Where they do not say it, it is the only live
// one, and where nothing live has settings, the only one of the manifests. Nil for none.
func (c *Client) setting(s Settings, kind schema.GroupKind, by owned) map[string]any {
	live, brought := settingsOf(s.Objects, kind), broughtOf(s.Brought, kind)
	owners, certain := s.owners(by)
	if len(owners) > 0 {
		not := func(u *unstructured.Unstructured) bool {
			return !slices.ContainsFunc(owners, func(owner string) bool { return by.names(owner, u) })
		}
		mine := slices.DeleteFunc(slices.Clone(live), not)
		theirs := slices.DeleteFunc(slices.Clone(brought), func(b Brought) bool {
			return not(&unstructured.Unstructured{Object: b.Object})
		})
		switch {
		case len(mine)+len(theirs) > 0:
			live, brought = mine, theirs
		case certain || len(live) == 0:
			c.disregard(kind, owners, live, brought)
			return nil
		}
	}
	switch {
	case len(live) == 1:
		return c.goesBy(live[0], nil)
	case len(live) == 0 && len(brought) == 1:
		return c.goesBy(&unstructured.Unstructured{Object: brought[0].Object}, &brought[0].Source)
	case len(live)+len(brought) > 0:
		c.Notices = append(c.Notices, "the inputs have several "+kind.Kind+
			"s, and no live object says which is its own: their settings are not used; give the one that is meant")
	}
	return nil
}

// goesBy notes whose settings are used, and where they stand if they are a manifest's.
func (c *Client) goesBy(u *unstructured.Unstructured, brought *report.Source) map[string]any {
	kind := u.GroupVersionKind()
	c.Setting, c.Brought = Key{kind.Group, kind.Kind, u.GetNamespace(), u.GetName()}, brought
	return u.Object
}

// disregard says that the settings of the inputs are those of others.
func (c *Client) disregard(kind schema.GroupKind, owners []string, live []*unstructured.Unstructured,
	brought []Brought) {
	if len(live)+len(brought) == 0 {
		return
	}
	var places []string
	for _, b := range brought {
		places = append(places, text(b.Object, "metadata", "name")+" in "+placeOf(b.Source))
	}
	others := ""
	if len(places) > 0 {
		others = " (" + strings.Join(places, ", ") + ")"
	}
	c.Notices = append(c.Notices, fmt.Sprintf(
		"the live objects are of the %s %s, and the inputs have only others%s: their settings are not used",
		kind.Kind, strings.Join(owners, " and "), others))
}

// broughtOf are those of a kind.
func broughtOf(all []Brought, kind schema.GroupKind) []Brought {
	return slices.DeleteFunc(slices.Clone(all), func(b Brought) bool {
		return (&unstructured.Unstructured{Object: b.Object}).GroupVersionKind().GroupKind() != kind
	})
}

// placeOf is FILE:LINE.
func placeOf(s report.Source) string {
	if s.Line == 0 {
		return s.File
	}
	return fmt.Sprintf("%s:%d", s.File, s.Line)
}

// owners are those whose most live objects say that they are, sorted: one, or several of
// which there are as many; none where they say nothing. What only the client writes counts
// more than all else.
func (s Settings) owners(by owned) (out []string, certain bool) {
	if s.Live == nil {
		return nil, false
	}
	counts := map[bool]map[string]int{true: {}, false: {}}
	for live := range s.Live {
		if owner, certain := by.said(live); owner != "" {
			counts[certain][owner]++
		}
	}
	certain = len(counts[true]) > 0
	best := 0
	for _, n := range counts[certain] {
		best = max(best, n)
	}
	for owner, n := range counts[certain] {
		if n == best {
			out = append(out, owner)
		}
	}
	slices.Sort(out)
	return out, certain
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

// RulesBy reports whether a client goes by a field of the object of its settings: by
// all but the status, labels, and annotations of others.
func RulesBy(field string) bool {
	if managedfields.Within(field, ".metadata") {
		return managedfields.Within(field, ".metadata.annotations."+migrationManager)
	}
	return !managedfields.Within(field, ".status")
}

// Owns reports whether a write is to what the client takes its settings from: the run
// changes what rules it.
func (c *Client) Owns(w engine.Write) bool {
	if c == nil {
		return false
	}
	key := KeyOf(w)
	return c.Brought == nil && c.Setting != (Key{}) && key == c.Setting || c.owns != nil && c.owns(key)
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
	return slices.ContainsFunc(
		strings.Split(annotationsOf(object)[key], ","),
		func(s string) bool { return strings.TrimSpace(s) == value },
	)
}
