package client

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// ReleasePrefix begins the names of the Secrets in which Helm keeps releases.
const ReleasePrefix = "sh.helm.release.v1."

// The annotations by which Helm knows the objects of a release.
const (
	ReleaseName      = "meta.helm.sh/release-name"
	ReleaseNamespace = "meta.helm.sh/release-namespace"
)

// MigrationManager is the annotation of an Application that names the manager whose entries move.
const MigrationManager = "argocd.argoproj.io/client-side-apply-migration-manager"

// IsSetting reports whether clients take settings from an object.
func IsSetting(kind schema.GroupKind, name string) bool {
	return kind == about.Applications || kind == about.Kustomizations ||
		kind == about.Secrets && strings.HasPrefix(name, ReleasePrefix)
}

// SettingsOf are the objects of a kind among those that clients take settings from.
func SettingsOf(objects []map[string]any, kind schema.GroupKind) []*unstructured.Unstructured {
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

// Owner is how live objects say whose they are.
type Owner struct {
	// Of is the owner that a live object names, empty for none; certain is true where
	// only the client writes that.
	Of func(live map[string]any) (owner string, certain bool)
	// Names reports whether an owner is an object of settings.
	Names func(owner string, setting *unstructured.Unstructured) bool
}

// Choose is the object of a kind by which a client goes: the one that the live objects are
// of, a live one before one of the manifests. Where they do not say it, it is the only live
// one, and where nothing live has settings, the only one of the manifests. Nil for none.
func (c *Client) Choose(s Settings, kind schema.GroupKind, by Owner) map[string]any {
	live, brought := SettingsOf(s.Objects, kind), broughtOf(s.Brought, kind)
	owners, certain := s.owners(by)
	if len(owners) > 0 {
		not := func(u *unstructured.Unstructured) bool {
			return !slices.ContainsFunc(owners, func(owner string) bool { return by.Names(owner, u) })
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
		places = append(places, objects.Text(b.Object, "metadata", "name")+" in "+placeOf(b.Source))
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
func (s Settings) owners(by Owner) (out []string, certain bool) {
	if s.Live == nil {
		return nil, false
	}
	counts := map[bool]map[string]int{true: {}, false: {}}
	for live := range s.Live {
		if owner, certain := by.Of(live); owner != "" {
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

// Most is the place of the name that most live objects are of; -1 where there is no such
// one.
func (s Settings) Most(names []types.NamespacedName, owner func(live map[string]any) types.NamespacedName) int {
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
		return managedfields.Within(field, ".metadata.annotations."+MigrationManager)
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
	return c.Brought == nil && c.Setting != (Key{}) && key == c.Setting || c.does.Owns != nil && c.does.Owns(key)
}

// Settings are the options of a run, by their own names, and what its inputs say. A client
// looks at those that it has.
type Settings struct {
	// ServerSide is auto, true or false.
	ServerSide                                  string
	ForceConflicts, TakeOwnership, ForceReplace bool
	CreateNamespace, Prune, Force               bool
	RollbackOnFailure                           bool
	// Selector is that of the manifests, by which kubectl prunes; nil for none.
	Selector labels.Selector
	// ApplySet is the ApplySet by which kubectl prunes; empty for none.
	ApplySet string
	// Release and Namespace are those of a Helm release, ReleaseManifest is what it has
	// deployed; nil to look for it among the objects.
	Release, Namespace string
	ReleaseManifest    []byte
	// Former are the manifests before a change that is asked about: what is deployed, where
	// nothing else says it. Empty for none.
	Former string
	// OverrideManagers are those whose entries Flux takes over; IgnorePaths are JSON
	// pointers.
	OverrideManagers, IgnorePaths []string
	// Objects are the live objects that have settings, and Brought those of the manifests;
	// Live are the live objects of the manifests, with no more than their metadata.
	Objects []map[string]any
	Brought []Brought
	// Disguise hides values of Secrets from programs that settings have; nil to show them.
	Disguise api.Disguise
	Live     iter.Seq[map[string]any]
	// LineOf is where a field of an object with settings stands; nil for no line. The
	// function may be nil.
	LineOf func(setting Key, path fieldpath.Path) *report.Source
	// Others are the live objects that no manifest names, as far as they are kept, with no
	// more than their metadata.
	Others iter.Seq[map[string]any]
}
