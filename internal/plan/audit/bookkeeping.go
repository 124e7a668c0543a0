package audit

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/managedfields"
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
			s.nobodys(BeforeFirstApply, e, "before-first-apply holds %s for nobody")
		case ancientChanges:
			s.nobodys(AncientChanges, e, "ancient-changes owns %s of managers whose names are lost")
		}
	}
	if updates >= manyUpdateEntries {
		s.manyUpdates(updates)
	}
}

func (s *subject) nobodys(rule string, e managedfields.Entry, format string) {
	s.told[e.Role] = true
	fields := s.fields(e.Set.Leaves())
	f := s.finding(rule, fmt.Sprintf(format, counted(len(fields), "field")), s.fixNobodys(e)...).About(fields...)
	f.Manager = e.Manager
	s.add(f)
}

func (s *subject) manyUpdates(n int) {
	message := fmt.Sprintf("%d of at most %d Update entries are taken", n, maxUpdateEntries)
	if n >= maxUpdateEntries {
		message += ": with the next new manager that updates the object, the two oldest are folded into one"
	}
	s.add(s.finding(ManyUpdateEntries, message, s.fixLook()))
}
