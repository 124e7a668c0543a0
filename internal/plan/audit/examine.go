package audit

import (
	"github.com/ssactl/ssactl/internal/plan/findings"
	"github.com/ssactl/ssactl/internal/report"
)

// Examined is one object with what its rules found.
type Examined struct {
	Findings []Finding
	Survey   Survey
	target   report.Target
	ignored  []string
}

// Examine asks an object all rules that need no other. It changes nothing, and
// may be called for several objects at once.
func Examine(o Object, server Server, settings Settings) Examined {
	s := newSubject(o, server, settings)
	s.broken()
	s.versions()
	s.madeUp()
	s.appliesAndUpdates()
	s.leftovers()
	s.changedByHand()
	s.ownedThoughMissing()
	s.voidClaims()
	s.atomicShared()
	s.lists()
	s.lastApplied()
	s.manifest()
	s.forbidden()
	survey := s.survey()
	return Examined{Findings: s.out, Survey: survey, target: o.Target, ignored: findings.Ignored(o.Live, IgnoreAnnotation)}
}
