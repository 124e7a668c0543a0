package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// serveLive has a server answer that knows what the live files have.
func (l *liveReading) serveLive(objects given) (given, error) {
	kept := l.Live.Kept()
	l.allNamespaces = l.hasAllNamespaces(kept)
	if objects.listed = l.listed(); len(kept)+len(objects.listed) == 0 {
		return objects, nil
	}
	objects, err := l.withKept(objects, kept)
	if err != nil {
		return objects, err
	}
	for _, name := range l.presumed() {
		l.namespaces[name] = true
	}
	objects.namespaces = slices.Sorted(maps.Keys(l.namespaces))
	if err := l.serve(objects); err != nil {
		return objects, err
	}
	l.addWrong(objects.defining, manifest.Document.Unread, func(r api.Resource) bool { return !r.Known || r.Custom })
	l.noteRivals(objects)
	return objects, nil
}

// listed are the kinds whose objects are all in the live files: those that snapshots
// asked for, and those of empty Lists. A List with some may be that of
// one namespace.
func (l *liveReading) listed() []api.Listed {
	var out []api.Listed
	for _, s := range l.Snapshots {
		for _, f := range s.Fetched {
			if len(f.Names) == 0 {
				out = append(out, api.Listed{Kind: schema.GroupKind{Group: f.Group, Kind: f.Kind}, Namespace: f.Namespace})
			}
		}
	}
	for _, o := range l.Live.Kept() {
		delete(l.whole, input.KindOf(o.Identity).GroupKind())
	}
	for kind := range l.whole {
		if server.LooksUp(kind) {
			out = append(out, api.Listed{Kind: kind})
		}
	}
	return out
}

// hasAllNamespaces reports whether the live objects claim to have all Namespaces: in a
// NamespaceList, or with those that every server makes among them. Else only the
// one that was needed may have been fetched.
func (l *liveReading) hasAllNamespaces(kept []*live.Object) bool {
	own := map[string]bool{}
	for _, o := range kept {
		if isNamespace(o.Identity) && server.MakesNamespace(o.Name) {
			own[o.Name] = true
		}
	}
	return l.whole[schema.GroupKind{Kind: "Namespace"}] || len(own) >= ownNamespaces
}

// ownNamespaces is how many Namespaces every server makes: default, kube-system and
// kube-public, and in most clusters kube-node-lease.
const ownNamespaces = 3

// withKept is what live objects add: those that were kept, and, where policies
// among them take parameters of kinds that were not, these. For that, the live
// files are read once more: it was not known before. Whether parameters have namespaces,
// their definitions say, which may be among them.
func (l *liveReading) withKept(objects given, kept []*live.Object) (given, error) {
	var documents []manifest.Document
	for _, o := range kept {
		documents = append(documents, o.Document)
	}
	more := parametersOf(documents)
	maps.DeleteFunc(more, func(kind schema.GroupKind, _ bool) bool { return l.parameters[kind] })
	definitions := slices.DeleteFunc(slices.Clone(kept), func(o *live.Object) bool { return !IsDefinition(o.Identity) })
	if len(definitions) > 0 && len(more)+len(l.parameters) > 0 {
		defining, err := objects.withLive(definitions, l.Scope).Server(l.Base)
		if err != nil {
			return objects, err
		}
		l.Scope.served = defining
	}
	if len(more) > 0 {
		objects = objects.taking(more)
		kept = slices.Concat(kept, l.readAgain(more))
	}
	return objects.withLive(kept, l.Scope), nil
}

// readAgain gives the live objects of some kinds.
func (l *liveReading) readAgain(wanted kinds) []*live.Object {
	again := slices.DeleteFunc(slices.Clone(l.flags.Live), input.IsStdin)
	if len(again) < len(l.flags.Live) {
		l.Notices = append(
			l.Notices,
			"admission policies take parameters, which are not looked for on standard input: give a file to --live",
		)
	}
	reading := l.reading
	reading.OnNotice, reading.OnRead = nil, nil
	// What is wrong with the files was reported when they were read first.
	index, _ := live.Load(again, live.Options{
		Input: reading,
		KeyOf: l.Key,
		Want:  func(live.Key) bool { return false },
		Keep:  func(id manifest.Identity) bool { return wanted[input.KindOf(id).GroupKind()] },
	})
	return index.Kept()
}

// noteRivals says which definitions of --crds the live files have with other schemas:
// answers go by the live ones, which is what the cluster has.
func (l *liveReading) noteRivals(objects given) {
	flagged := map[string]manifest.Document{}
	for _, d := range l.Definitions {
		if IsDefinition(d.Identity) && l.kinds[DefinedBy(d)] {
			flagged[d.Name] = d
		}
	}
	if len(flagged) == 0 {
		return
	}
	for _, d := range objects.defining {
		rival, given := flagged[d.Name]
		if !given || d.Unread() != nil || reflect.DeepEqual(schemasOf(d.Document), schemasOf(rival)) {
			continue
		}
		at, source := report.Source(d.Source), report.Source(rival.Source)
		l.Notices = append(
			l.Notices,
			fmt.Sprintf("%s defines %s with other schemas than the live files do (%s): the answers go by the live ones",
				words.Place(&source), d.Name, words.Place(&at)),
		)
	}
}

// addWrong notes what is wrong with live definitions that may be of kinds of the manifests,
// as those are served.
func (l *liveReading) addWrong(
	definitions []liveDefinition,
	wrong func(manifest.Document) error,
	concerns func(api.Resource) bool,
) {
	told, asked := map[string]bool{}, kinds{}
	for _, d := range l.Manifests {
		kind := input.KindOf(d.Identity)
		if asked[kind.GroupKind()] || !concerns(l.Server.Resource(kind)) {
			continue
		}
		asked[kind.GroupKind()] = true
		for _, definition := range definitions {
			if !definition.mayDefine(kind.GroupKind()) {
				continue
			}
			if err := wrong(definition.Document); err != nil && !told[err.Error()] {
				told[err.Error()] = true
				l.AddLives([]error{err})
			}
		}
	}
}

// enforced is what the live objects say of the admissions enforcer of AKS, where manifests
// configure webhooks.
func (l *liveReading) enforced() (out writers.Enforced) {
	configures := func(d manifest.Document) bool {
		return writers.IsWebhookConfiguration(input.KindOf(d.Identity).GroupKind())
	}
	if !slices.ContainsFunc(l.Manifests, configures) {
		return out
	}
	for _, o := range l.Live.Kept() {
		kind := input.KindOf(o.Identity).GroupKind()
		if !writers.IsWebhookConfiguration(kind) && !isNamespace(o.Identity) {
			continue
		}
		if object, err := o.Decode(); err == nil {
			out.Add(kind, object)
		}
	}
	return out
}

// roles are the ClusterRoles of the inputs, where manifests have one that is made of others. That of a
// manifest counts before the live one.
func (l *liveReading) roles() (out writers.Roles) {
	if !l.aggregates {
		return out
	}
	is := func(id manifest.Identity) bool { return input.KindOf(id).GroupKind() == writers.ClusterRoles }
	for _, o := range slices.Concat(l.Live.Kept(), l.Live.Objects()) {
		if !is(o.Identity) {
			continue
		}
		if object, err := o.Decode(); err == nil {
			out.Add(object)
		}
	}
	for _, d := range l.Manifests {
		if !is(d.Identity) {
			continue
		}
		if object, err := jsontree.Decode(d.JSON()); err == nil {
			out.Add(object)
		}
	}
	return out
}

// claims are what objects of the inputs have written to others: that is not for
// manifests to set.
func (l *liveReading) claims() writers.Claims {
	claims := writers.Claims{}
	add := func(id manifest.Identity, namespace string, object map[string]any, err error) {
		if err == nil {
			// All of them are in namespaces, those without a definition too.
			claims.Add(input.KindOf(id).GroupKind(), cmp.Or(namespace, l.namespace, "default"), object)
		}
	}
	for _, o := range l.Live.Kept() {
		if writers.IsClaimant(input.KindOf(o.Identity).GroupKind()) {
			object, err := o.Decode()
			add(o.Identity, o.Key.Namespace, object, err)
		}
	}
	for _, d := range l.Manifests {
		if writers.IsClaimant(input.KindOf(d.Identity).GroupKind()) {
			object, err := jsontree.Decode(d.JSON())
			add(d.Identity, l.NamespaceOf(d.Identity), object, err)
		}
	}
	return claims
}
