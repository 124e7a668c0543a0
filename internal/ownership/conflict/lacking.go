package conflict

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Lacking is what the server has against a new object of an apply; empty where it
// creates the object, and where no answer can be given.
func Lacking(ctx context.Context, server api.Server, w engine.Write) []string {
	w.Detail, w.Force = engine.DetailRefusal, false
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

// Needed reports whether a manifest lacks something without a field that it has with it. What
// it lacks with the field is asked only if it lacks anything without.
func Needed(without []string, with func() []string) bool {
	if len(without) == 0 {
		return false
	}
	has := with()
	return slices.ContainsFunc(without, func(fault string) bool { return !slices.Contains(has, fault) })
}

// Creations are answers of Lacking, by what was asked: advice on a conflict and the proof of
// it ask the same of one server. The zero value knows none. It may be used by several at once.
type Creations struct {
	mutex sync.Mutex
	known map[[sha256.Size]byte][]string
}

// mostCreations bounds what is kept: hostile input has as many manifests as it wants.
const mostCreations = 1000

// Lacking is Lacking, asked once for each write.
func (c *Creations) Lacking(ctx context.Context, server api.Server, w engine.Write) []string {
	key := creationOf(w)
	c.mutex.Lock()
	lacks, known := c.known[key]
	c.mutex.Unlock()
	if known {
		return lacks
	}
	lacks = Lacking(ctx, server, w)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.known == nil {
		c.known = map[[sha256.Size]byte][]string{}
	}
	if len(c.known) < mostCreations && ctx.Err() == nil {
		c.known[key] = lacks
	}
	return lacks
}

// creationOf is the same for writes that create the same object in the same way.
func creationOf(w engine.Write) [sha256.Size]byte {
	h := sha256.New()
	fmt.Fprintf(
		h,
		"%q %q %q %q %q %q %q %q %q %t %q %t %q %q ",
		w.Verb,
		w.Kind,
		w.Namespace,
		w.Name,
		w.Subresource,
		w.Manager,
		w.UserAgent,
		w.FieldValidation,
		w.MediaType,
		w.DryRun,
		w.Derived,
		w.Plain,
		w.Schema,
		w.Now,
	)
	h.Write(w.Body)
	return [sha256.Size]byte(h.Sum(nil))
}
