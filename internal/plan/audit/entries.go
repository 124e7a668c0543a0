package audit

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// shownBroken is how many broken entries are named.
const shownBroken = 5

// broken finds managedFields that the server cannot read.
func (s *subject) broken() {
	var bad []report.Fact
	if s.owners.Err != nil {
		bad = append(bad, report.Fact{Kind: AllBroken, Text: s.owners.Err.Error()})
	}
	for _, e := range s.owners.Broken() {
		bad = append(bad, report.Fact{Kind: EntryBroken, Count: e.Index + 1, Manager: e.Manager, Text: s.quoting(e.Err.Error())})
	}
	if n := len(bad); n > 0 {
		fact := report.Fact{Kind: EntriesBroken, Parts: bad[:min(n, shownBroken)], Count: n}
		s.add(s.finding(ManagedFieldsBroken, fact, s.fixClearAll()))
	}
}

// versions finds API versions that the server does not serve: the object's,
// and those of its entries. Of kinds that it does not know at all nothing is
// said.
func (s *subject) versions() {
	kind := s.kind()
	if !s.server.Serves(kind) {
		if served := api.ServedAs(kind, s.server.Serves); served != "" {
			s.add(s.finding(ObjectVersionRemoved, report.Fact{Kind: ServedElsewhere, Version: s.Target.APIVersion, At: served}, s.fixServed(served)))
		}
		return
	}
	for _, e := range s.entries {
		gv, err := schema.ParseGroupVersion(e.APIVersion)
		if err != nil || s.server.Serves(gv.WithKind(kind.Kind)) {
			continue
		}
		s.entryRemoved(e)
	}
}

// entryRemoved reports what the next write does to an entry at a version that is not
// served.
// A version that the server still converts to is as good as any.
func (s *subject) entryRemoved(e managedfields.Entry) {
	fields := s.fields(e.Set.Leaves())
	fact, severity := report.Fact{By: writer(e), Version: e.APIVersion}, Warning
	switch s.server.Effect(s.Object, e.Index) {
	case Dropped:
		fact.Kind = EntryDropped
	case Refuses:
		fact.Kind, severity = EntryRefuses, Error
	default:
		return
	}
	s.told[e.Role] = true
	f := s.finding(EntryVersionRemoved, fact, s.fixRemoved(e)...).About(fields...)
	f.Manager, f.Severity = e.Manager, severity
	s.add(f)
}

// ownedThoughMissing finds fields that an entry owns and the object does not
// have. Entries at another API version than the object's may have another
// form, and are passed over, as is all of a kind without schema.
func (s *subject) ownedThoughMissing() {
	if s.Deduced {
		return
	}
	for _, e := range s.entries {
		if e.APIVersion != s.Target.APIVersion {
			continue
		}
		missing, data := fieldpath.NewSet(), fieldpath.NewSet()
		absence{s.secret(), missing, data}.find(e.Set, []any{s.Live}, s.Shape, nil)
		if !data.Empty() {
			s.stringData(e, s.fields(data))
		}
		// A dump without any status was stripped of it.
		if _, ok := s.Live["status"]; !ok {
			missing = missing.Difference(fieldpath.NewSet(fieldpath.MakePathOrDie("status")))
		}
		if fields := s.fields(missing); len(fields) > 0 {
			f := s.finding(OwnedFieldMissing, report.Fact{Kind: OwnsMissing, By: writer(e)}, s.fixMissing(e)).About(fields...)
			f.Manager = e.Manager
			s.add(f)
		}
	}
}

func pathStarts(path fieldpath.Path, name string) bool {
	return len(path) > 0 && path[0].FieldName != nil && *path[0].FieldName == name
}

func (s *subject) stringData(e managedfields.Entry, fields []string) {
	if len(fields) > 1 {
		fields = slices.DeleteFunc(fields, func(f string) bool { return f == ".stringData" })
	}
	f := s.finding(StringDataOwned, report.Fact{Kind: OwnsStringData, By: writer(e)}, s.fixStringData(e)).About(fields...)
	f.Manager = e.Manager
	s.add(f)
}
