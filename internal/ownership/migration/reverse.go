package migration

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// wayBack is the plan of going back.
type wayBack struct{ *subject }

// migration goes back to client-side apply: the Apply entry becomes the
// Update entry of kubectl apply, and the annotation that it needs is written.
func (s wayBack) migration() Migration {
	s.readWishes()
	from, ok := s.chooseApplier()
	if !ok {
		return s.nothing()
	}
	s.m.To = Choice{Manager: ClientSideKubectl, Reason: text.New("it is the name of kubectl apply (client-side)")}
	if s.opts.To != "" {
		s.m.To = Choice{Manager: s.opts.To, Reason: named}
	}
	reason := text.New("no other manager applies the object")
	if len(s.opts.From) > 0 {
		reason = named
	}
	s.m.Evidence = []Evidence{
		{Writer: report.WriterOf(from), Strength: Certain, Reasons: []text.Text{reason}, Migrated: true},
	}
	if !s.Served(from.APIVersion) {
		from.Set, from.APIVersion = s.converted(from, s.version), s.version
	}
	body, err := s.lastManifest(from)
	if err != nil {
		s.find(
			manifestUnusable,
			"",
			text.New("what was applied is not known: %v", text.Said(err.Error())),
			text.New("give the manifest with -f"),
		)
		return s.blocked()
	}
	applied, err := annotationText(body, s.m.Target.Namespace)
	if err != nil {
		s.find(manifestUnusable, "", text.New("the annotation cannot be written: %v", text.Said(err.Error())))
		return s.blocked()
	}
	total := len(LastApplied) + len(applied)
	for key, v := range annotationsOf(s.Live) {
		if value, ok := v.(string); ok && key != LastApplied {
			total += len(key) + len(value)
		}
	}
	if total > maxAnnotations {
		s.find(
			annotationSize,
			lastAppliedPath.String(),
			text.New(
				"the annotations would have %v bytes, and the server takes %v: client-side apply cannot manage this object",
				text.Number(total),
				text.Number(maxAnnotations),
			),
		)
	}
	s.tellLosses(from, body)
	if s.blocks() {
		return s.blocked()
	}
	object := s.reversed(from, applied)
	s.m.Annotation = AnnotationEffect{
		Effect: Written,
		Reason: text.New("client-side apply needs it to see what a manifest drops"),
	}
	s.m.PatchManager = s.m.To.Manager
	for p := range ownFields(from.Set) {
		s.m.Gained = append(s.m.Gained, Gained{Field: p.String(), From: []report.Writer{report.WriterOf(from)}})
	}
	slices.SortStableFunc(s.m.Gained, func(a, b Gained) int { return cmp.Compare(a.Field, b.Field) })
	s.m.Patch = s.patch(object, &applied)
	return s.finished(Migrates, object)
}

// chooseApplier finds the Apply entry to turn back: the one that the user
// names, or the only one.
func (s wayBack) chooseApplier() (managedfields.Entry, bool) {
	var found []managedfields.Entry
	var names []string
	for _, e := range s.Owners().Readable() {
		applies := e.Operation == managedfields.Apply && e.Subresource == "" && e.Manager != AnnotationKeeper
		if applies && (len(s.opts.From) == 0 || slices.Contains(s.opts.From, e.Manager)) {
			found, names = append(found, e), append(names, e.Manager)
		}
	}
	for _, name := range s.opts.From {
		if !slices.Contains(names, name) {
			s.find(managerMissing, "", text.New("%v does not apply the object", text.By(name)))
		}
	}
	switch len(found) {
	case 0:
		return managedfields.Entry{}, false
	case 1:
		return found[0], true
	}
	s.find(targetUnclear.At(blocks), "", severalApply(names), text.New("name the one that goes back with --from"))
	return managedfields.Entry{}, false
}

// lastManifest is what the annotation is to say: the manifest, or else the
// live values of what the manager applied.
func (s wayBack) lastManifest(from managedfields.Entry) (map[string]any, error) {
	if s.manifest != nil {
		s.m.Basis = ByManifest
		return s.manifest.object, nil
	}
	s.m.Basis = ByEntry
	live, err := s.At(from.APIVersion)
	if err != nil {
		return nil, err
	}
	return engine.Extract(s.TypeAt(from.APIVersion).ParseableType, live, from.Set.Difference(lastAppliedSet))
}

// annotationText writes a manifest as kubectl does: JSON with sorted keys,
// characters of HTML escaped and a newline behind it, a map of annotations in
// any case, and the namespace that it fills in (kubectl, pkg/util/apply.go).
func annotationText(body map[string]any, namespace string) (string, error) {
	body = withoutAnnotation(body)
	if annotationsOf(body) == nil {
		body = with(body, annotationsPath, map[string]any{})
	}
	if v, _ := fieldtree.Value(body, "metadata", "namespace").(string); v == "" && namespace != "" {
		body = with(body, fieldpath.MakePathOrDie("metadata", "namespace"), namespace)
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(body); err != nil {
		return "", err
	}
	return b.String(), nil
}

// maxAnnotations is what the server takes of all annotations of an object
// (apimachinery, pkg/api/validation/objectmeta.go).
const maxAnnotations = 256 << 10

// reversed is the object on the way back.
func (s wayBack) reversed(from managedfields.Entry, applied string) map[string]any {
	es := ownership.Edit(s.Live)
	es.Remove(ownership.Is(from))
	es.Disown(lastAppliedSet)
	set := from.Set.Union(lastAppliedSet)
	if annotationsOf(s.Live) == nil {
		set = set.Union(fieldpath.NewSet(annotationsPath))
	}
	es.Join(managedfields.Entry{Time: from.Time, Set: set, Writer: managedfields.Writer{
		Role: managedfields.Role{Manager: s.m.To.Manager, Operation: managedfields.Update}, APIVersion: from.APIVersion,
	}})
	return es.On(with(s.Live, lastAppliedPath, applied))
}

// ownFields are the leaves of a set but the annotation.
func ownFields(set *fieldpath.Set) func(func(fieldpath.Path) bool) {
	return set.Leaves().Difference(lastAppliedSet).All()
}

// tellLosses reports what is lost on the way back.
func (s wayBack) tellLosses(from managedfields.Entry, body map[string]any) {
	lose := func(format string, args ...text.Argument) {
		s.find(wayBackLoses, "", text.New(format, args...))
	}
	lose("conflicts are not reported any more: kubectl apply overwrites what others own without asking")
	if gone := s.untold(from, body); len(gone) > 0 {
		n := len(gone)
		lose("%v that %v applied %v not in the annotation, so that kubectl apply never removes %v: %v",
			text.Count(n, "field"), text.By(from.Manager), text.Agree(n, "is", "are"), text.Agree(n, "it", "them"), listed(gone))
	}
	for _, e := range s.Owners().Readable() {
		if fields := s.shared(from, e); len(fields) > 0 {
			lose(
				"%v is not protected any more where the manifest says another value: %v",
				owner(report.WriterOf(e)),
				listed(fields),
			)
		}
	}
	// kubectl knows no Go type for a custom kind, so that it merges JSON.
	hasItems := false
	for p := range from.Set.All() {
		hasItems = hasItems ||
			slices.ContainsFunc(p, func(pe fieldpath.PathElement) bool { return pe.Key != nil || pe.Value != nil })
	}
	if r := s.Server.Resource(s.Write.Kind); (r.Custom || !r.Known) && hasItems {
		lose(
			"the kind is a custom resource, and kubectl apply replaces its lists as a whole: items of others in them are lost",
		)
	}
	if s.isSecret() {
		s.find(
			annotationSecret,
			lastAppliedPath.String(),
			text.New("the annotation holds the values of the Secret, readable by anyone who reads its metadata"),
		)
	}
}

// untold are the leaves of the Apply entry that the annotation does not have.
func (s wayBack) untold(from managedfields.Entry, body map[string]any) []string {
	version, _ := body["apiVersion"].(string)
	shape := shapeAt(s.Object, version)
	var out []string
	var find managedfields.Finder
	for p := range ownFields(convert(s.Object, from.Set, from.APIVersion, version).set) {
		if !find.Has(shape, body, p) {
			out = append(out, p.String())
		}
	}
	slices.Sort(out)
	return out
}

// shared are the leaves of the Apply entry that another entry owns too.
func (s wayBack) shared(from, e managedfields.Entry) []string {
	if e.Index == from.Index || e.Subresource == "status" || e.Manager == AnnotationKeeper {
		return nil
	}
	set := convert(s.Object, e.Set, e.APIVersion, from.APIVersion).set
	var out []string
	for p := range ownFields(from.Set) {
		if managedfields.Covers(set, p) {
			out = append(out, p.String())
		}
	}
	slices.Sort(out)
	return out
}
