package audit

import (
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// limits of Update entries (apiserver, managedfields: DefaultMaxUpdateManagers).
const (
	maxUpdateEntries  = 10
	manyUpdateEntries = 8
)

// madeUp finds the entries whose names the server makes up, and those that
// soon will be folded into one.
func (s *subject) madeUp() {
	updates := 0
	for _, e := range s.entries {
		if e.Operation != managedfields.Update {
			continue
		}
		updates++
		switch e.Manager {
		case managedfields.BeforeFirstApply:
			s.nobodys(BeforeFirstApply, e, OwnsForNobody)
		case ancientChanges:
			s.nobodys(AncientChanges, e, OwnsOfMany)
		}
	}
	if updates >= manyUpdateEntries {
		s.manyUpdates(updates)
	}
}

func (s *subject) nobodys(rule string, e managedfields.Entry, kind FactKind) {
	s.told[e.Role] = true
	fields := s.fields(e.Set.Leaves())
	f := s.finding(rule, report.Fact{Kind: kind}, s.fixNobodys(e)...).About(fields...)
	f.Manager = e.Manager
	s.add(f)
}

func (s *subject) manyUpdates(n int) {
	fact := report.Fact{Kind: UpdatesMany, Count: n, All: maxUpdateEntries}
	if n >= maxUpdateEntries {
		fact.Kind = UpdatesFull
	}
	s.add(s.finding(ManyUpdateEntries, fact, s.fixLook()))
}
