package migration

import (
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// tellClaims reports what became of the fields of migrated entries.
func (s *subject) tellClaims(c claims, sources []managedfields.Entry) {
	if s.basis == ByNothing && len(sources) > 0 {
		s.find(noBasis, "", text.New("neither a manifest nor an annotation says which fields are wanted and which are defaults: all of them are claimed"))
	}
	s.tellNoSchema(c.version)
	if n := c.leftover.Size(); n > 0 && s.opts.claim() == ClaimManifest {
		them := text.Agree(n, "it", "them")
		s.find(leftOver, "", text.New("%v of the migrated entries %v neither in the manifest nor a default: %v; no manager owns %v afterwards, and %v unless an apply drops all of the map around",
			text.Count(n, "field"), text.Agree(n, "is", "are"), listed(fields(c.leftover)), them, text.Agree(n, "it stays", "they stay")), text.New("--claim leftover makes the next apply remove %v", them))
	}
	if n := c.unsorted.Size(); n > 0 && s.opts.claim() != ClaimAll {
		s.find(defaultsUnknown, "", text.New("whether %v %v a default is not known, as the server gives no answer to the next apply: %v; no manager owns %v afterwards",
			text.Count(n, "field"), text.Agree(n, "is", "are"), listed(fields(c.unsorted)), text.Agree(n, "it", "them")))
	}
	if len(sources) == 0 && s.hasLoneAnnotation() {
		s.find(annotationLone, lastAppliedPath.String(), text.New("no entry of a client-side apply goes with the annotation: what it says and the object has is claimed"))
	}
	s.tellStatus()
}

// tellStatus says why entries of the status are left alone.
func (s *subject) tellStatus() {
	for _, e := range s.Owners.Readable() {
		if s.opts.Subresource == "" && e.Subresource == "status" && e.Operation == managedfields.Update && s.isSourceName(e.Manager) {
			s.find(statusEntry, "", text.New("the entry of %v for the status subresource stays: an apply of the object never owns its status", text.By(e.Manager)))
		}
	}
}

func (s *subject) isSourceName(manager string) bool {
	for _, b := range s.result.Evidence {
		if b.Migrated && b.Manager == manager {
			return true
		}
	}
	return false
}

// tellAnnotation reports where the annotation says something else than the
// object has, and what is to be known of its effect.
func (s *subject) tellAnnotation(effect AnnotationEffect) {
	s.tellStale()
	remove := text.New("--drop-annotation removes it")
	secret := s.Live["kind"] == "Secret" && s.version == "v1"
	switch {
	case effect.Effect == Kept && s.to.Manager != ServerSideKubectl:
		s.find(annotationFrozen, lastAppliedPath.String(), text.New("the annotation stays as it is: the server keeps it up to date for the manager kubectl only, not for %v", text.By(s.to.Manager)), remove)
	case effect.Effect == Kept:
		s.find(annotationFrozen.At(notes), lastAppliedPath.String(), text.New("the server rewrites the annotation at each apply of the manager kubectl, in its own spelling"))
	}
	if secret && effect.Effect == Kept {
		s.find(annotationSecret, lastAppliedPath.String(), text.New("the annotation holds the values of the Secret"), remove)
	}
}

// tellStale reports the stale fields, together where they have the same owners.
func (s *subject) tellStale() {
	var same [][]report.Writer
	by, covering := map[int][]string{}, s.Owners.Covering()
	for _, p := range s.stale() {
		owners := report.WritersOf(covering(p))
		at := slices.IndexFunc(same, func(o []report.Writer) bool { return reflect.DeepEqual(o, owners) })
		if at < 0 {
			at, same = len(same), append(same, owners)
		}
		by[at] = append(by[at], p.String())
	}
	for i, owners := range same {
		field, says := "", text.New("the last-applied annotation differs from the live values of %v, which %v: %v", text.Count(len(by[i]), "field"), ownedBy(owners), listed(by[i]))
		if len(by[i]) == 1 {
			field, says = by[i][0], text.New("the last-applied annotation differs from the live value, which %v", ownedBy(owners))
		}
		s.find(annotationStale, field, says)
	}
}

func ownedBy(owners []report.Writer) text.Text {
	switch len(owners) {
	case 0:
		return text.New("no manager owns")
	case 1:
		return text.New("%v owns", owner(owners[0]))
	}
	return text.New("%v own", text.List(owners, few, owner))
}

var giveManifest = text.New("give the manifest with -f")

// stale are the leaves of the annotation that the object has otherwise, or not
// at all, in the set's order.
func (s *subject) stale() []fieldpath.Path {
	if s.annotation.state != soundAnnotation {
		return nil
	}
	w := s.wishes[len(s.wishes)-1]
	live, err := s.At(w.version)
	if err != nil {
		return nil
	}
	shape := shapeAt(s.Object, w.version)
	var out []fieldpath.Path
	var find managedfields.Finder
	for p := range w.set.Leaves().All() {
		if !find.Has(shape, w.object, p) || w.agrees(&find, shape, live, p, true) || p[0].FieldName != nil && *p[0].FieldName == "stringData" {
			continue
		}
		c := claims{shape: shape, live: live}
		if !storesNothing(&find, c, w, p) && !spelling(&find, shape, w, live, p) {
			out = append(out, p.Copy())
		}
	}
	return out
}

// spelling reports whether the migrated entries own a value that differs: the
// server may only spell it otherwise (quantities, defaults in atomic lists).
func spelling(find *managedfields.Finder, shape managedfields.Shape, w *wish, live map[string]any, p fieldpath.Path) bool {
	said, is := find.Lookup(shape, w.object, p), find.Lookup(shape, live, p)
	if len(said) != 1 || len(is) != 1 {
		return false
	}
	return sameMeaning(said[0], is[0])
}

// sameMeaning reports whether a stored value can be the server's spelling of
// what was said: an equal quantity, or the same with defaults filled in.
func sameMeaning(said, is any) bool {
	switch said := said.(type) {
	case map[string]any:
		live, ok := is.(map[string]any)
		if !ok {
			return false
		}
		for k, v := range said {
			if has, ok := live[k]; !ok || !sameMeaning(v, has) {
				return false
			}
		}
		return true
	case []any:
		live, ok := is.([]any)
		if !ok || len(live) != len(said) {
			return false
		}
		for i := range said {
			if !sameMeaning(said[i], live[i]) {
				return false
			}
		}
		return true
	}
	return same(said, is) || sameQuantity(said, is)
}

func sameQuantity(a, b any) bool {
	x, readable := quantityOf(a)
	y, too := quantityOf(b)
	return readable && too && x.Cmp(y) == 0
}

// quantityOf reads a value of any kind as a quantity, unless that takes no end.
func quantityOf(v any) (resource.Quantity, bool) {
	text := fmt.Sprint(v)
	if api.EndlessQuantity(text) {
		return resource.Quantity{}, false
	}
	q, err := resource.ParseQuantity(text)
	return q, err == nil
}

// few is how many fields or owners a sentence lists.
const few = 4

// fields are the paths of a set as the server writes them, in the set's order.
func fields(set *fieldpath.Set) []string {
	var out []string
	for p := range set.All() {
		out = append(out, p.String())
	}
	return out
}

func listed(fields []string) text.Text { return text.Paths(fields, few, len(fields)) }

func owner(w report.Writer) text.Text { return text.Entry(w.Manager, w.Operation, w.Subresource) }
