package conflict

import (
	"context"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Stop is the result if a manifest whose apply is accepted stops managing a
// field.
type Stop struct {
	Target report.Target `json:"target"`
	// Field is written as the API server writes it.
	Field      string     `json:"field" secret:"path"`
	Resolution Resolution `json:"resolution"`
}

// Stopping simulates for each of several fields of a manifest that the manifest
// stops managing it alone. Fields that the manifest does not have are left out, the
// others in their order, each once.
func Stopping(ctx context.Context, server api.Server, w engine.Write, fields []string) []Stop {
	if len(fields) == 0 {
		return nil
	}
	w.Verb, w.Force = api.Apply, false
	r := engine.Simulate(ctx, server, w)
	s := newSession(ctx, server, w, r, Judges{})
	paths := s.bodyPaths()
	var out []Stop
	for _, field := range fields {
		path, found := paths[field]
		if !found {
			continue
		}
		delete(paths, field)
		c := claim{path: path, found: true}
		s.base = s.apply(s.withoutOthers([]claim{c}, nil), holdBack)
		out = append(out, Stop{r.Target, field, s.stopManaging(&c)})
	}
	return out
}
