package risk

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Keeps finds the values that an accepted write of a manifest leaves in the live object though
// the manifest lacks them, and that no writer keeps there by itself: what a person changed, and
// what a tool has left behind. The manifest is that of w; created is the object that it makes
// of nothing, asked for where defaults have to be told from what was asked for once. The
// result is nil for none, in the order of the entries.
//
// An apply removes only what its manager applied before (structured-merge-diff, merge/update.go).
func Keeps(r report.Result, w engine.Write, shape managedfields.Shape, created func() map[string]any) []report.Finding {
	k := keeper{finder: finder{Result: r}, shape: shape, created: created, kept: fieldpath.NewSet()}
	if r.Outcome.Refused() || r.Deleted || r.Recreated || r.Live == nil || r.Object == nil ||
		!slices.ContainsFunc(managedfields.Listed(r.Object), k.mayLeave) {
		return nil
	}
	manifest := w.Object()
	if manifest == nil {
		return nil
	}
	k.write = engine.Write{Decoded: manifest, Locator: w.Locator}
	k.manifest = sync.OnceValue(func() *fieldpath.Set { return fieldpath.NewSet(shape.Paths(manifest)...) })
	k.entries = sync.OnceValue(
		func() []managedfields.Entry { return k.read(func(managedfields.Role) bool { return true }) },
	)
	for _, e := range k.read(k.mayLeave) {
		k.entry(e)
	}
	said := func(f report.Finding) bool {
		return slices.ContainsFunc(r.Risks, func(r report.Finding) bool { return r.Field != "" && nested(r.Field, f.Field) })
	}
	return slices.DeleteFunc(k.found, said)
}

// keeper finds what a write keeps.
type keeper struct {
	finder
	write engine.Write
	shape managedfields.Shape
	// entries gives those of the object at the version of the write.
	entries func() []managedfields.Entry
	// manifest gives the paths of the manifest; kept are those that are found.
	manifest func() *fieldpath.Set
	kept     *fieldpath.Set
	created  func() map[string]any
	found    []report.Finding
}

// left is whose entry leaves values behind.
type left int

const (
	// notLeft: its writer keeps its values, or is not known.
	notLeft left = iota
	// parts of it, since it has the defaults of an object that it created or wrote as a whole.
	parts
	// whole: all of it was asked for.
	whole
)

// mayLeave is false of what surely leaves nothing behind: the manager itself, and who writes
// the status.
func (k *keeper) mayLeave(role managedfields.Role) bool {
	mine := role.Manager == k.Manager && (role.Operation == managedfields.Apply) == (k.Operation == report.Apply)
	return !mine && (role.Subresource == "" || role.Subresource == "scale")
}

// leaves tells whether an entry leaves values behind.
func (k *keeper) leaves(e managedfields.Entry) left {
	if !k.mayLeave(e.Role) {
		return notLeft
	}
	by := report.WriterOf(e)
	by.APIVersion = ""
	kind := writers.Judge(by, k.Manager, "", k.Live)
	again := kind.Returns == writers.Always || kind.Returns == writers.OnSync
	switch {
	case kind.Kind == writers.Bookkeeping:
		return notLeft
	case e.Subresource == "scale" && kind.Kind == writers.Person:
		return whole
	case e.Subresource == "scale" || again || kind.Kind == writers.OtherApplier:
		return notLeft
	case e.Operation == managedfields.Apply || kind.Kind == writers.Person && !writers.CreatedOnly(by, k.Live):
		return whole
	}
	return parts
}

// read reads the entries of some roles.
func (k *keeper) read(of func(managedfields.Role) bool) []managedfields.Entry {
	return slices.DeleteFunc(managedfields.OfRoles(k.Object, of).Readable(), func(e managedfields.Entry) bool {
		return e.APIVersion != k.Target.APIVersion
	})
}

func (k *keeper) entry(e managedfields.Entry) {
	left := k.leaves(e)
	if left == notLeft {
		return
	}
	var paths []fieldpath.Path
	k.collect(nil, e.Set, left, k.shape, &paths)
	for _, path := range paths {
		k.add(e, path)
	}
}

// collect collects the outermost paths of a set that the manifest lacks: items of lists, keys of
// open maps, and other fields where they cannot be defaults. Maps are gone into, since their keys
// may be of several writers.
func (k *keeper) collect(
	at fieldpath.Path, set *fieldpath.Set, left left, shape managedfields.Shape, paths *[]fieldpath.Path,
) {
	managedfields.Begin(set, func(pe fieldpath.PathElement) {
		below := shape.Child(pe)
		child, deeper := set.Children.Get(pe)
		item := isItem(pe, shape)
		field := !deeper && (left == whole || below.AtomicList())
		if isStatus(at, pe) || !item && !field && !deeper {
			return
		}
		path := append(at.Copy(), pe)
		switch {
		case (item || field) && !k.manifest().Has(path):
			if !writers.IsBookkeeping(path) && !isMark(path) {
				*paths = append(*paths, path)
			}
		case deeper:
			k.collect(path, child, left, below, paths)
		}
	})
}

// isItem reports whether a path element is an item of a list, or a key of an open map.
func isItem(pe fieldpath.PathElement, shape managedfields.Shape) bool {
	return pe.Key != nil || pe.Value != nil || shape.Open() && pe.FieldName != nil
}

// isStatus reports whether a path element is the status of the object.
func isStatus(at fieldpath.Path, pe fieldpath.PathElement) bool {
	return len(at) == 0 && pe.FieldName != nil && *pe.FieldName == "status"
}

// marks are the domains of labels and annotations by which clients know their objects again.
var marks = []string{
	"meta.helm.sh/", "helm.sh/", "argocd.argoproj.io/", "kustomize.toolkit.fluxcd.io/", "helm.toolkit.fluxcd.io/",
	"applyset.kubernetes.io/", "kubectl.kubernetes.io/", "app.kubernetes.io/managed-by",
}

// isMark reports whether a field is metadata by which clients and controllers know the object again, and
// which goes with them.
func isMark(path fieldpath.Path) bool {
	switch field := path.String(); {
	case managedfields.Within(field, ".metadata.finalizers"), managedfields.Within(field, ".metadata.ownerReferences"):
		return true
	case len(path) != 3 || !strings.HasPrefix(field, ".metadata.") || path[2].FieldName == nil:
		return false
	}
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.HasPrefix(*path[2].FieldName, mark) })
}

// add adds what is kept at a path, unless the server or another writer has it there.
func (k *keeper) add(e managedfields.Entry, path fieldpath.Path) {
	before, after := k.shape.Lookup(k.Live, path), k.shape.Lookup(k.Object, path)
	same := len(before) == 1 && reflect.DeepEqual(before, after) && !empty(before[0])
	if !same || k.kept.Has(path) || k.isShared(e, path) || k.isDefault(path, after) {
		return
	}
	k.kept.Insert(path)
	found := k.risk(Kept, path.String(), e.Manager, text.New("kept, not in your manifest: owned by %v",
		text.Entry(e.Manager, e.Operation, e.Subresource)))
	found.Before, found.After, found.Owners = before[0], after[0], []report.Writer{report.WriterOf(e)}
	for n := len(path) - 1; n > 0; n-- {
		if at := k.write.Line(k.shape, path[:n]); at != nil {
			found.Source = *at
			break
		}
	}
	k.found = append(k.found, found)
}

// isShared reports whether a writer that keeps its values has a path too, or the manager itself.
func (k *keeper) isShared(by managedfields.Entry, path fieldpath.Path) bool {
	return slices.ContainsFunc(k.entries(), func(e managedfields.Entry) bool {
		return e.Role != by.Role && e.Set.Has(path) && k.leaves(e) == notLeft
	})
}

// isDefault reports whether the manifest alone has the server, or its admission, make the same values.
// Where it makes none, that is not known of an entry with defaults.
func (k *keeper) isDefault(path fieldpath.Path, values []any) bool {
	object := k.created()
	return object == nil || reflect.DeepEqual(k.shape.Lookup(object, path), values)
}

// empty reports whether a value says nothing.
func empty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return v == nil || v == ""
}
