package conflict

import (
	"context"
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Lacking is what the server has against a new object of an apply; empty where it
// creates the object, and where no answer can be given.
func Lacking(ctx context.Context, server api.Server, w engine.Write) []string {
	r := engine.Simulate(ctx, server, w.On(nil))
	if !r.Outcome.Refused() || r.Outcome == report.Failed {
		return nil
	}
	if len(r.Causes) == 0 {
		return []string{r.Answer().Message}
	}
	var out []string
	for _, c := range r.Causes {
		out = append(out, c.Field+": "+c.Message)
	}
	return out
}

// Needed reports whether a manifest lacks something without a field that it has with it.
func Needed(without, with []string) bool {
	return slices.ContainsFunc(without, func(fault string) bool { return !slices.Contains(with, fault) })
}

// needed reports whether the manifest cannot be without a field: a new object is refused
// then, though the live one is not.
func (s *session) needed(c *claim) bool {
	body, ok := fieldtree.Without(s.Shape, s.body, c.path)
	if !ok {
		return false
	}
	without := s.lacking(body)
	return without != nil && Needed(without, s.lacking(s.body))
}

func (s *session) lacking(body any) []string {
	w, err := s.Write.Send(body)
	if err != nil {
		return nil
	}
	return Lacking(s.Ctx, s.Server, w)
}
