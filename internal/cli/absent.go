package cli

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/suggest"
)

// absences says of a manifest without a live object what that may mean: there is
// none, it could not be read, or it has another name.
type absences struct {
	// unread is the first live input that could not be read; nil for none.
	unread *report.Problem
	// incomplete: a list of live objects is not all of it.
	incomplete bool
	// kinds and namespaces are those of all live objects.
	kinds      map[schema.GroupKind]bool
	namespaces map[string]bool
	// others are the live objects that no manifest names, of the kinds that
	// manifests have, in the order of the input.
	others map[schema.GroupKind][]live.Key
}

func newAbsences(manifests []manifest.Document) *absences {
	a := &absences{kinds: map[schema.GroupKind]bool{}, namespaces: map[string]bool{}, others: map[schema.GroupKind][]live.Key{}}
	for _, d := range manifests {
		a.others[kindOf(d.Identity).GroupKind()] = nil
	}
	return a
}

func groupKind(k live.Key) schema.GroupKind { return schema.GroupKind{Group: k.Group, Kind: k.Kind} }

// see notes a live object that a manifest names.
func (a *absences) see(k live.Key) {
	a.kinds[groupKind(k)], a.namespaces[k.Namespace] = true, true
}

// pass notes a live object that no manifest names.
func (a *absences) pass(k live.Key) {
	k.Namespace, k.Name = strings.Clone(k.Namespace), strings.Clone(k.Name)
	a.see(k)
	if others, asked := a.others[groupKind(k)]; asked {
		a.others[groupKind(k)] = append(others, k)
	}
}

// unknown is the error of a manifest whose live object may be in what could not be
// read.
func (a *absences) unknown(key live.Key) error {
	if a.unread == nil {
		return nil
	}
	from := "a live input"
	if a.unread.Source.File != "" {
		from = manifest.Source(a.unread.Source).String()
	}
	return fmt.Errorf("whether there is a live object %s is not known, as %s could not be read", key, from)
}

// caveats are what makes it doubtful that there is no live object of the key. The
// namespace is named where it is the document's own.
func (a *absences) caveats(key live.Key, named bool) []report.Caveat {
	var out []report.Caveat
	if a.incomplete {
		out = append(out, report.Caveat{Kind: api.Input, Rule: report.RuleIncompleteList,
			Message: fmt.Sprintf("There is no live object %s, but a list in the live files is incomplete (metadata.continue is set).", key)})
	}
	if nearest, ok := a.nearest(key, named); ok {
		return append(out, report.Caveat{Kind: api.Input, Rule: report.RuleNoLiveObject, Nearest: placedName(nearest),
			Message: fmt.Sprintf("There is no live object %s; the live files have %s.", placedName(key), placedName(nearest))})
	}
	if !a.kinds[groupKind(key)] && !a.incomplete {
		message := fmt.Sprintf("The live files have no %s at all: they may be incomplete.", key.Kind)
		if only := a.settings(); only != nil {
			message = fmt.Sprintf("The live files have no %s at all, only definitions, policies and the like (%s): each object is taken as absent from the cluster.", key.Kind, some(only))
		}
		out = append(out, report.Caveat{Kind: api.Input, Rule: report.RuleNoLiveKind, Message: message})
	}
	return out
}

// settings are the kinds of the live objects where all of them decide how others are
// answered, such as definitions and policies: then nothing says what is live. They are
// nil for others.
func (a *absences) settings() []string {
	var names []string
	for kind := range a.kinds {
		if !isGiven(manifest.Identity{APIVersion: schema.GroupVersion{Group: kind.Group, Version: "v1"}.String(), Kind: kind.Kind}) {
			return nil
		}
		names = append(names, kind.Kind)
	}
	slices.Sort(names)
	return slices.Compact(names)
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
	others := a.others[groupKind(key)]
	elsewhere := slices.IndexFunc(others, func(k live.Key) bool { return k.Name == key.Name })
	if elsewhere >= 0 && !(named && a.namespaces[key.Namespace]) {
		return others[elsewhere], true
	}
	best, distance := live.Key{}, max(1, len(key.Name)/4)+1
	for _, k := range others[:min(len(others), mostCompared)] {
		if d := suggest.Distance(key.Name, k.Name); k.Namespace == key.Namespace && d < distance {
			best, distance = k, d
		}
	}
	return best, best.Name != ""
}

// withoutLive is what a run says, once and before all else, that compares with live
// objects and has none.
const withoutLive = "no live objects are given (--live): every object is taken as absent from the cluster"
