package cluster

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/suggest"
)

// absences says of a manifest without a live object what that may mean: there is
// none, it could not be read, or it has another name.
type absences struct {
	// unread is the first live input that could not be read; nil for none.
	unread *report.Problem
	// incomplete are the lists of live objects that are not all of it.
	incomplete []manifest.Notice
	// kinds and namespaces are those of all live objects.
	kinds      kinds
	namespaces map[string]bool
	// others are the live objects that no manifest names, of the kinds that
	// manifests have, in the order of the input; unplaced those of them that were saved
	// without their namespace.
	others   map[schema.GroupKind][]live.Key
	unplaced map[live.Key]bool
}

func newAbsences(manifests []manifest.Document) *absences {
	a := &absences{
		kinds:      kinds{},
		namespaces: map[string]bool{},
		others:     map[schema.GroupKind][]live.Key{},
		unplaced:   map[live.Key]bool{},
	}
	for kind := range KindsOf(manifests) {
		a.others[kind] = nil
	}
	return a
}

func groupKind(k live.Key) schema.GroupKind { return schema.GroupKind{Group: k.Group, Kind: k.Kind} }

// see notes a live object that a manifest names.
func (a *absences) see(k live.Key) {
	a.kinds[groupKind(k)], a.namespaces[k.Namespace] = true, true
}

// pass notes a live object that no manifest names.
func (a *absences) pass(id manifest.Identity, k live.Key) {
	k.Namespace, k.Name = strings.Clone(k.Namespace), strings.Clone(k.Name)
	a.see(k)
	others, asked := a.others[groupKind(k)]
	if !asked {
		return
	}
	a.others[groupKind(k)] = append(others, k)
	if id.Namespace == "" {
		a.unplaced[k] = true
	}
}

// cutOff is the error of a manifest whose live object may be in the part of a list that
// the live files lack.
func (a *absences) cutOff(key live.Key) error {
	for _, n := range a.incomplete {
		if n.Incomplete == "List" || n.Incomplete == key.Kind+"List" {
			return fmt.Errorf("whether it is live is not known: %s", n)
		}
	}
	return nil
}

// misplaced is the error of a manifest whose object lives in another namespace, where the
// namespace is not the document's own, or the live files are those of another one.
func (a *absences) misplaced(key live.Key, named bool) error {
	nearest, ok := a.elsewhere(key, named)
	others := maps.Clone(a.namespaces)
	delete(others, "")
	switch {
	case !ok:
		return nil
	case a.unplaced[nearest] && key.Namespace != "":
		return fmt.Errorf(
			"the live files have %s without its namespace: name it with %s",
			nearest.Name,
			shell.Value("-n", key.Namespace),
		)
	case !named:
		return fmt.Errorf(
			"the live files have %s, and the manifest names no namespace: name it with %s",
			placedName(nearest),
			shell.Value("-n", nearest.Namespace),
		)
	case len(others) == 1 && others[nearest.Namespace]:
		return fmt.Errorf(
			"the live files have %s, and nothing of namespace %s: fetch its objects",
			placedName(nearest),
			key.Namespace,
		)
	}
	return nil
}

// caveats are what makes it doubtful that there is no live object of the key. The
// namespace is named where it is the document's own.
func (a *absences) caveats(key live.Key, named bool) []report.Caveat {
	if nearest, ok := a.nearest(key, named); ok {
		return []report.Caveat{{Kind: api.Input, Rule: report.RuleNoLiveObject, Nearest: placedName(nearest),
			Message: fmt.Sprintf("There is no live object %s; the live files have %s.", placedName(key), placedName(nearest))}}
	}
	if a.kinds[groupKind(key)] {
		return nil
	}
	message := fmt.Sprintf("The live files have no %s at all: they may be incomplete.", key.Kind)
	if only := a.kinds.settings(); only != nil {
		message = fmt.Sprintf(
			"The live files have no %s at all, only definitions, policies and the like (%s): each object is taken as absent from the cluster.",
			key.Kind,
			Some(only),
		)
	}
	return []report.Caveat{{Kind: api.Input, Rule: report.RuleNoLiveKind, Message: message}}
}

// settings are the names of the kinds where all of them decide how others are answered,
// such as definitions and policies: then nothing says what is live. They are nil for others.
func (k kinds) settings() []string {
	var names []string
	for kind := range k {
		if kind != api.CustomResourceDefinition && !server.LooksUp(kind) {
			return nil
		}
		names = append(names, kind.Kind)
	}
	return distinct(names)
}

// placedName is NAMESPACE/NAME, or NAME without a namespace.
func placedName(k live.Key) string {
	if k.Namespace == "" {
		return k.Name
	}
	return k.Namespace + "/" + k.Name
}

// mostCompared is of how many objects of a kind the names are compared.
const mostCompared = 100

// nearest is the live object that may be meant by a key that has none: of this name
// in another namespace, or else of a like name in this one. A document that names
// its namespace means it, if the live files have something there.
func (a *absences) nearest(key live.Key, named bool) (live.Key, bool) {
	if elsewhere, ok := a.elsewhere(key, named); ok {
		return elsewhere, true
	}
	others := a.others[groupKind(key)]
	best, distance := live.Key{}, max(1, len(key.Name)/4)+1
	for _, k := range others[:min(len(others), mostCompared)] {
		if d := suggest.Distance(key.Name, k.Name); k.Namespace == key.Namespace && d < distance {
			best, distance = k, d
		}
	}
	return best, best.Name != ""
}

// elsewhere is the live object of this kind and name in another namespace, where the key
// may mean it.
func (a *absences) elsewhere(key live.Key, named bool) (live.Key, bool) {
	others := a.others[groupKind(key)]
	i := slices.IndexFunc(others, func(k live.Key) bool { return k.Name == key.Name })
	if i < 0 || named && a.namespaces[key.Namespace] {
		return live.Key{}, false
	}
	return others[i], true
}

// WithoutLive is what a run says, once and before all else, that compares with live
// objects and has none.
const WithoutLive = "no live objects are given (--live): every object is taken as absent from the cluster"

// Alone is a manifest that no live object is of.
type Alone struct {
	document manifest.Document
	Key      live.Key
	// Meant is the live object that may be meant, as a question; empty for none.
	Meant string
}

// String says so of the manifest.
func (u Alone) String() string {
	text := fmt.Sprintf("%s: no live object is %s", u.document.Source, u.Key)
	if u.Meant != "" {
		text += "; " + u.Meant
	}
	return text
}

// Unpaired are the manifests that no live object is of, in their order and each
// object once: a plan that leaves one out without a word would be believed to know
// it.
func (w *World) Unpaired(manifests []manifest.Document) []Alone {
	absent := newAbsences(manifests)
	theirs := map[live.Key]bool{}
	for _, d := range manifests {
		theirs[w.Key(d.Identity)] = true
	}
	lives := map[live.Key]bool{}
	for _, o := range w.Live.Objects() {
		if lives[o.Key] = true; theirs[o.Key] {
			absent.see(o.Key)
			continue
		}
		absent.pass(o.Identity, o.Key)
	}
	var out []Alone
	for _, d := range manifests {
		key := w.Key(d.Identity)
		if !theirs[key] || lives[key] || d.Name == "" {
			continue
		}
		theirs[key] = false
		u := Alone{document: d, Key: key}
		if nearest, ok := absent.nearest(key, d.Namespace != ""); ok {
			u.Meant = fmt.Sprintf(
				"the live files have %s. %s",
				placedName(nearest),
				fixes.Meant(placedName(nearest), TargetOf(d.Identity)).Does,
			)
		}
		out = append(out, u)
	}
	return out
}

// ByKey gives the manifests of an extra list by the object that each one names, and
// remarks on those that no live object is of.
func (w *World) ByKey(documents []manifest.Document) map[string]manifest.Document {
	out := map[string]manifest.Document{}
	for _, d := range documents {
		out[w.Key(d.Identity).String()] = d
	}
	for _, u := range w.Unpaired(documents) {
		w.Notices = append(w.Notices, u.String())
	}
	return out
}
