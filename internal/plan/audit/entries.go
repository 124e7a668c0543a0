package audit

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/server/api"
)

// shownBroken is how many broken entries a message names.
const shownBroken = 5

// broken finds managedFields that the server cannot read.
func (s *subject) broken() {
	var bad []string
	if s.owners.Err != nil {
		bad = append(bad, s.owners.Err.Error())
	}
	for _, e := range s.owners.Broken() {
		text := fmt.Sprintf("entry %d", e.Index+1)
		if e.Manager != "" {
			text += " (" + e.Manager + ")"
		}
		// What is wrong with the fields may quote them.
		if !s.secret() || s.Secrets == ShowSecrets {
			text += ": " + e.Err.Error()
		}
		bad = append(bad, text)
	}
	if len(bad) == 0 {
		return
	}
	if rest := len(bad) - shownBroken; rest > 0 {
		bad = append(bad[:shownBroken], fmt.Sprintf("and %d more", rest))
	}
	s.add(s.finding(ManagedFieldsBroken, "managedFields cannot be read: "+strings.Join(bad, "; "), s.fixClearAll()))
}

// versions finds API versions that the server does not serve: the object's,
// and those of its entries. Of kinds that it does not know at all nothing is
// said.
func (s *subject) versions() {
	kind := s.kind()
	if !s.server.Serves(kind) {
		if served := api.ServedAs(kind, s.server.Serves); served != "" {
			s.add(s.finding(ObjectVersionRemoved, fmt.Sprintf("%s is not served as %s, but as %s", s.Target.Kind, s.Target.APIVersion, served), s.fixServed(served)))
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

// entryRemoved reports what becomes of an entry at a version that is not served.
// A version that the server still converts to is as good as any.
func (s *subject) entryRemoved(e managedfields.Entry) {
	fields := s.fields(e.Set.Leaves())
	does, severity := "", Warning
	switch s.server.Effect(s.Object, e.Index) {
	case Dropped:
		does = "the API server drops it with its " + counted(len(fields), "field")
	case Refuses:
		does, severity = "the API server refuses every apply to the object because of it", Error
	default:
		return
	}
	s.told[e.Role] = true
	f := s.finding(EntryVersionRemoved, fmt.Sprintf("the entry of %s is at %s, which is not served: %s", roleName(e.Role), e.APIVersion, does),
		s.fixRemoved(e)...).About(fields...)
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
			f := s.finding(OwnedFieldMissing, fmt.Sprintf("%s owns %s, but the object has no such %s",
				roleName(e.Role), listed(fields), fieldsWord(len(fields))), s.fixMissing(e)).About(fields...)
			f.Manager = e.Manager
			s.add(f)
		}
	}
}

func fieldsWord(n int) string {
	if n == 1 {
		return "field"
	}
	return "fields"
}

func pathStarts(path fieldpath.Path, name string) bool {
	return len(path) > 0 && path[0].FieldName != nil && *path[0].FieldName == name
}

func (s *subject) stringData(e managedfields.Entry, fields []string) {
	if len(fields) > 1 {
		fields = slices.DeleteFunc(fields, func(f string) bool { return f == ".stringData" })
	}
	f := s.finding(StringDataOwned, fmt.Sprintf("%s owns %s, which the API server keeps in .data", roleName(e.Role), listed(fields)),
		s.fixStringData(e)).About(fields...)
	f.Manager = e.Manager
	s.add(f)
}
