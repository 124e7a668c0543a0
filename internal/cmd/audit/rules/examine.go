package rules

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/report"
)

// Examined is one object with what its rules found.
type Examined struct {
	Findings []finding.Finding
	Survey   Survey
	target   report.Target
	ignored  []string
}

// Examine asks an object all rules that need no other. It changes nothing, and
// may be called for several objects at once.
func Examine(o Object, server Server, settings Settings) Examined {
	s := newSubject(o, server, settings)
	for _, c := range checks {
		if c.check != nil {
			c.check(s)
		}
	}
	survey := s.survey()
	return Examined{Findings: s.out, Survey: survey, target: o.Target, ignored: finding.Ignored(o.Live, IgnoreAnnotation)}
}
