package conflict

import (
	"context"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Judges know of an apply what the server does not ask.
type Judges struct {
	// Send simulates a write as the client sends it; nil for kubectl where it is the field
	// manager, and else for the one request.
	Send func(context.Context, api.Server, engine.Write) report.Result
	// Risks gives those of an answer; nil for none.
	Risks func(report.Result) []report.Risk
	// Forbids reports whether a policy does not let a role own a field of an object; nil
	// where there is no policy.
	Forbids func(live map[string]any, path fieldpath.Path, role managedfields.Role) bool
}

// heed is a recommendation in the light of who may own the field.
//
//	recommended          may not own the field    instead
//	force, live value,   the manager that applies stop managing, where that is safe
//	migrate
//	stop managing        the owners               none
func (s *session) heed(t Conflict, c *claim, kind ResolutionKind, because Reason, stop Resolution) (ResolutionKind, Reason) {
	me := managedfields.Role{Manager: s.Write.Manager, Operation: managedfields.Apply, Subresource: s.Write.Subresource}
	owns := kind == Force || kind == UseLiveValue || kind == Migrate
	switch mine := s.forbids(c, me); {
	case mine && owns && stop.Safe:
		return StopManaging, Reason{Kind: MayNotOwn, Managers: []string{me.Manager}}
	case mine && owns:
		return None, Reason{Kind: NoneSafe, Managers: []string{me.Manager}, Against: append([]Objection{OwnForbidden}, againstStop(stop)...)}
	case kind == StopManaging && !mine:
		if others := s.forbidden(t, c); others != nil {
			return None, Reason{Kind: NoneSafe, Managers: Managers(others), Against: []Objection{ForceReverted, StopForbidden}}
		}
	}
	return kind, because
}

// forbidden are the owners of a field that come back, and may not own it; nil where
// one of them may.
func (s *session) forbidden(t Conflict, c *claim) []Owner {
	back := comingBack(t.Owners)
	may := func(o Owner) bool {
		return !s.forbids(c, managedfields.Role{Manager: o.Manager, Operation: o.Operation, Subresource: o.Subresource})
	}
	if slices.ContainsFunc(back, may) {
		return nil
	}
	return back
}

func (s *session) forbids(c *claim, role managedfields.Role) bool {
	return s.judges.Forbids != nil && s.judges.Forbids(s.Live, c.path, role)
}
