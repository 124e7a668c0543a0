package conflict

import (
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// spared are those of several conflicting fields that a new object can be without, as far as that is seen
// of all at once: most are not needed, and one request says so.
type spared struct {
	*session
	claims []Claim
	tried  bool
	// all: a new object can be without any of them; but, where it is not nil, those that it may need.
	all bool
	but map[*Claim]bool
}

// has reports whether a new object can surely be without a field. It is false for a field that has to be
// asked of alone.
func (s *spared) has(c *Claim) bool {
	if !s.tried {
		s.tried = true
		s.try()
	}
	return s.all && !s.but[c]
}

// try asks for an object without all of the fields, and if it lacks something, without those that its
// faults are not about.
func (s *spared) try() {
	if len(s.claims) < 2 {
		return
	}
	with := func() []string { return s.lacking(s.body) }
	faults := s.lacking(s.withoutAny(s.claims, func(*Claim) bool { return true }))
	if s.all = !Needed(faults, with); s.all {
		return
	}
	s.but = map[*Claim]bool{}
	for i := range s.claims {
		c := &s.claims[i]
		s.but[c] = c.found() && slices.ContainsFunc(faults, func(fault string) bool { return isAbout(fault, c.Path) })
	}
	some := s.withoutAny(s.claims, func(c *Claim) bool { return !s.but[c] })
	s.all = !Needed(s.lacking(some), with)
}

// isAbout reports whether a fault, as Lacking gives it, names a field of this name.
func isAbout(fault string, path fieldpath.Path) bool {
	field, _, _ := strings.Cut(fault, ": ")
	name := path[len(path)-1].FieldName
	return name == nil || strings.HasSuffix(field, *name)
}
