package clear

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// next are the next applies of the Apply managers that clearing touches: those
// whose entry is cleared, and those that shared a field with a cleared entry.
func (c *clearing) next(chosen choice, stored map[string]any) []Next {
	var out []Next
	for _, e := range c.Owners.Readable() {
		if e.Operation != managedfields.Apply || !c.Served(e.APIVersion) {
			continue
		}
		cleared := slices.ContainsFunc(chosen.clear, func(o managedfields.Entry) bool { return o.Index == e.Index })
		fields := e.Set.Leaves()
		if !cleared {
			if fields = c.shared(e, chosen); fields.Empty() {
				continue
			}
		}
		out = append(out, c.nextOf(e, cleared, fields, stored))
	}
	if len(out) == 0 && len(chosen.clear) == len(c.Owners.Entries) {
		out = append(out, c.first(chosen, stored))
	}
	return out
}

// first is the first apply of a manager that is made up, of all that the
// cleared entries own.
func (c *clearing) first(chosen choice, stored map[string]any) Next {
	apiVersion, _ := c.Write.Kind.ToAPIVersionAndKind()
	e := managedfields.Entry{}
	e.Manager, e.Operation, e.APIVersion = "another-manager", managedfields.Apply, apiVersion
	var sets []*fieldpath.Set
	for _, o := range chosen.clear {
		if o.APIVersion == apiVersion && o.Subresource == "" {
			sets = append(sets, o.Set)
		}
	}
	e.Set = managedfields.Union(sets...)
	n := c.nextOf(e, false, fieldpath.NewSet(), stored)
	n.New = true
	return n
}

// shared are the leaves that an entry shares with cleared ones.
func (c *clearing) shared(e managedfields.Entry, chosen choice) *fieldpath.Set {
	leaves := e.Set.Leaves()
	sets := make([]*fieldpath.Set, len(chosen.clear))
	for i, o := range chosen.clear {
		sets[i] = leaves.Intersection(o.Set.Leaves())
	}
	return managedfields.Union(sets...)
}

// nextOf is the next apply of one manager.
func (c *clearing) nextOf(e managedfields.Entry, cleared bool, fields *fieldpath.Set, stored map[string]any) Next {
	n := Next{Writer: report.WriterOf(e), Cleared: cleared}
	apply, err := c.Last(e)
	if err != nil {
		n.Unknown = err.Error()
		return n
	}
	r := apply.To(stored)
	n.Attempt, n.With = report.Attempt(r.Answer()), r.Against()
	if r.Object != nil {
		n.Shares = c.newPartners(e, r.Object)
	}
	p := prober{apply, c.Live, stored, r.Object}
	n.Probes = p.probes(fields)
	return n
}

// newPartners are the managers that own fields of an entry after an apply, and
// had no entry before.
func (c *clearing) newPartners(e managedfields.Entry, object map[string]any) []string {
	var out []string
	before := c.Owners.Roles()
	for _, o := range managedfields.Of(object).Readable() {
		if _, had := before[o.Role]; !had && o.Role != e.Role && !o.Set.Intersection(e.Set).Empty() && !slices.Contains(out, o.Manager) {
			out = append(out, o.Manager)
		}
	}
	slices.Sort(out)
	return out
}

// with is the apply of a real manifest to what is live, and to what is stored
// after clearing.
func (c *clearing) with(w engine.Write, stored map[string]any) *With {
	w.Verb = api.Apply
	out := &With{Source: w.Source, Manager: w.Manager}
	out.Before = answerOf(c.Simulate(w, c.Live).Result)
	out.After = answerOf(c.Simulate(w, stored).Result)
	return out
}

func answerOf(r report.Result) Answer {
	a := Answer{Answer: r.Answer()}
	for _, c := range r.Conflicts {
		a.Conflicts = append(a.Conflicts, Conflict{Field: c.Field, Manager: c.Manager})
	}
	for _, c := range r.Changes {
		if c.Field != ".metadata.generation" {
			a.Changes = append(a.Changes, Change{Field: c.Field, Kind: c.Kind})
		}
	}
	return a
}
