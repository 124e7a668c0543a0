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

// planReverse goes back to client-side apply: the Apply entry becomes the
// Update entry of kubectl apply, and the annotation that it needs is written.
func (s *subject) planReverse() Migration {
	s.readWishes()
	from, ok := s.chooseApplier()
	if !ok {
		return s.nothing()
	}
	s.to = Choice{Manager: ClientSideKubectl, Reason: text.New("it is the name of kubectl apply (client-side)")}
	if s.opts.To != "" {
		s.to = Choice{Manager: s.opts.To, Reason: named}
	}
	s.result.To = s.to
	s.result.Evidence = []Evidence{{Writer: report.WriterOf(from), Strength: Certain, Reasons: []text.Text{s.applierReason()}, Migrated: true}}
	from = s.entryServed(from)
	body, err := s.lastManifest(from)
	if err != nil {
		s.find(manifestUnusable, "", text.New("what was applied is not known: %v", text.Said(err.Error())), giveManifest)
		return s.blocked()
	}
	applied, err := annotationText(body, s.of.Target.Namespace)
	if err != nil {
		s.find(manifestUnusable, "", text.New("the annotation cannot be written: %v", text.Said(err.Error())))
		return s.blocked()
	}
	s.checkSize(applied)
	s.tellLosses(from, body)
	if s.blocks() {
		return s.blocked()
	}
	return s.reversed(from, applied)
}

// chooseApplier finds the Apply entry to turn back: the one that the user
// names, or the only one.
func (s *subject) chooseApplier() (managedfields.Entry, bool) {
	var found []managedfields.Entry
	for _, e := range s.Owners.Readable() {
		if e.Operation != managedfields.Apply || e.Subresource != "" || e.Manager == AnnotationKeeper {
			continue
		}
		if len(s.opts.From) == 0 || slices.Contains(s.opts.From, e.Manager) {
			found = append(found, e)
		}
	}
	for _, name := range s.opts.From {
		if !slices.ContainsFunc(found, func(e managedfields.Entry) bool { return e.Manager == name }) {
			s.find(managerMissing, "", text.New("%v does not apply the object", text.By(name)))
		}
	}
	if len(found) <= 1 {
		if len(found) == 0 {
			return managedfields.Entry{}, false
		}
		return found[0], true
	}
	var names []string
	for _, e := range found {
		names = append(names, e.Manager)
	}
	s.find(targetUnclear.At(blocks), "", severalApply(names), text.New("name the one that goes back with --from"))
	return managedfields.Entry{}, false
}

func severalApply(managers []string) text.Text {
	return text.New("several managers apply the object: %v", text.List(managers, few, text.By))
}

func (s *subject) applierReason() text.Text {
	if len(s.opts.From) > 0 {
		return named
	}
	return text.New("no other manager applies the object")
}

// lastManifest is what the annotation is to say: the manifest, or else the
// live values of what the manager applied.
func (s *subject) lastManifest(from managedfields.Entry) (map[string]any, error) {
	if s.manifest != nil {
		s.basis = ByManifest
		s.result.Basis = ByManifest
		return s.manifest.object, nil
	}
	s.basis = ByEntry
	s.result.Basis = ByEntry
	live, err := s.At(from.APIVersion)
	if err != nil {
		return nil, err
	}
	return engine.Extract(s.TypeAt(from.APIVersion).ParseableType, live, from.Set.Difference(fieldpath.NewSet(lastAppliedPath)))
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

func (s *subject) checkSize(applied string) {
	total := len(LastApplied) + len(applied)
	for key, v := range annotationsOf(s.Live) {
		if value, ok := v.(string); ok && key != LastApplied {
			total += len(key) + len(value)
		}
	}
	if total > maxAnnotations {
		s.find(annotationSize, lastAppliedPath.String(),
			text.New("the annotations would have %v bytes, and the server takes %v: client-side apply cannot manage this object", text.Number(total), text.Number(maxAnnotations)))
	}
}

// reversed is the plan for the way back.
func (s *subject) reversed(from managedfields.Entry, applied string) Migration {
	m := &s.result
	es := ownership.Edit(s.Live)
	es.Remove(ownership.Is(from))
	es.Disown(fieldpath.NewSet(lastAppliedPath))
	set := from.Set.Union(fieldpath.NewSet(lastAppliedPath))
	if annotationsOf(s.Live) == nil {
		set = set.Union(fieldpath.NewSet(annotationsPath))
	}
	es.Join(managedfields.Entry{
		Writer: managedfields.Writer{
			Role:       managedfields.Role{Manager: s.to.Manager, Operation: managedfields.Update},
			APIVersion: from.APIVersion,
		},
		Time: from.Time,
		Set:  set,
	})
	m.Object = es.On(withAnnotation(s.Live, applied))
	m.Verdict = Migrates
	m.Annotation = AnnotationEffect{Effect: Written, Reason: text.New("client-side apply needs it to see what a manifest drops")}
	after := managedfields.Of(m.Object)
	m.Before, m.After = summaries(s.Owners), summaries(after)
	m.PatchManager = s.to.Manager
	m.Gained = wonBack(from)
	s.handOver(&applied)
	m.Findings = s.sorted()
	return *m
}

// wonBack are the leaves of the Apply entry, by field.
func wonBack(from managedfields.Entry) []Gained {
	out := []Gained{}
	for p := range from.Set.Leaves().All() {
		if !p.Equals(lastAppliedPath) {
			out = append(out, Gained{Field: p.String(), From: []report.Writer{report.WriterOf(from)}})
		}
	}
	slices.SortStableFunc(out, func(a, b Gained) int { return cmp.Compare(a.Field, b.Field) })
	return out
}

// tellLosses reports what is lost on the way back.
func (s *subject) tellLosses(from managedfields.Entry, body map[string]any) {
	lose := func(format string, args ...text.Argument) {
		s.find(wayBackLoses, "", text.New(format, args...))
	}
	lose("conflicts are not reported any more: kubectl apply overwrites what others own without asking")
	if gone := s.untold(from, body); len(gone) > 0 {
		n := len(gone)
		lose("%v that %v applied %v not in the annotation, so that kubectl apply never removes %v: %v",
			text.Count(n, "field"), text.By(from.Manager), text.Agree(n, "is", "are"), text.Agree(n, "it", "them"), listed(gone))
	}
	shared := s.alsoAsked(from)
	for _, e := range s.Owners.Readable() {
		if fields := shared[e.Index]; len(fields) > 0 {
			lose("%v is not protected any more where the manifest says another value: %v", owner(report.WriterOf(e)), listed(fields))
		}
	}
	if s.isCustom() && hasItems(from.Set) {
		lose("the kind is a custom resource, and kubectl apply replaces its lists as a whole: items of others in them are lost")
	}
	if s.Live["kind"] == "Secret" && s.version == "v1" {
		s.find(annotationSecret, lastAppliedPath.String(), text.New("the annotation holds the values of the Secret, readable by anyone who reads its metadata"))
	}
}

// untold are the leaves of the Apply entry that the annotation does not have.
func (s *subject) untold(from managedfields.Entry, body map[string]any) []string {
	version, _ := body["apiVersion"].(string)
	set := convert(s.Object, from.Set, from.APIVersion, version).set
	shape := shapeAt(s.Object, version)
	var out []string
	var find managedfields.Finder
	for p := range set.Leaves().All() {
		if !find.Has(shape, body, p) && !p.Equals(lastAppliedPath) {
			out = append(out, p.String())
		}
	}
	slices.Sort(out)
	return out
}

// alsoAsked are the leaves that other entries own too, by the index of these, sorted.
func (s *subject) alsoAsked(from managedfields.Entry) map[int][]string {
	var others managedfields.Owners
	for _, e := range s.Owners.Readable() {
		if e.Index == from.Index || e.Subresource == "status" || e.Manager == AnnotationKeeper {
			continue
		}
		e.Set = convert(s.Object, e.Set, e.APIVersion, from.APIVersion).set
		others.Entries = append(others.Entries, e)
	}
	covering := others.Covering()
	out := map[int][]string{}
	for p := range from.Set.Leaves().All() {
		if p.Equals(lastAppliedPath) {
			continue
		}
		for _, e := range covering(p) {
			out[e.Index] = append(out[e.Index], p.String())
		}
	}
	for _, fields := range out {
		slices.Sort(fields)
	}
	return out
}

// isCustom reports whether kubectl knows no Go type for the kind, so that it
// merges JSON.
func (s *subject) isCustom() bool {
	r := s.Server.Resource(s.Write.Kind)
	return r.Custom || !r.Known
}

func hasItems(set *fieldpath.Set) bool {
	found := false
	set.Iterate(func(p fieldpath.Path) {
		for _, pe := range p {
			found = found || pe.Key != nil || pe.Value != nil
		}
	})
	return found
}
