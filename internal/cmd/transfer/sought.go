package transfer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
)

// sought is a live object with the fields of it that are asked for.
type sought struct {
	key     string
	writeIn engine.Write
	fields  []fieldpath.Path
	// scales is true for the number of replicas of a kind that has the scale
	// subresource.
	scales bool
	// err says why nothing can be planned.
	err error
}

// seekAll finds the fields in each object that is wanted, and counts the objects
// that have none of them. Where no object has them, the error is that of the
// first.
func seekAll(c *cluster.Cluster, wanted []input.ObjectName, fields []string) (out []sought, without int, err error) {
	pairs, err := c.Targets(wanted)
	switch {
	case err != nil:
		return nil, 0, err
	case len(fields) == 0:
		return nil, 0, errors.New("no FIELD is named: what is to be handed over?")
	}
	for _, p := range pairs {
		var found bool
		s := guard.Or(func() (s sought) { s, found = seek(c, p, fields); return s },
			func(err error) sought { found = true; return unsought(c, p, err) })
		if s.err != nil && !found {
			err, without = cmp.Or(err, s.err), without+1
			continue
		}
		out = append(out, s)
	}
	if len(out) > 0 {
		err = nil
	}
	return out, without, err
}

// unsought is an object in which nothing was looked for yet, or could not be.
func unsought(c *cluster.Cluster, p cluster.Pair, err error) sought {
	return sought{key: p.Key.String(), writeIn: c.Write(p).WithBody(nil, nil), err: err}
}

// seek finds the fields in one object. It is false for one that has none of
// them; one that has some of them only cannot be planned for.
func seek(c *cluster.Cluster, p cluster.Pair, fields []string) (s sought, found bool) {
	s = unsought(c, p, p.Err)
	if s.err != nil {
		return s, true
	}
	object, err := p.Live.Decode()
	if err == nil {
		err = c.Misfit(s.writeIn.Kind, object)
	}
	if err != nil {
		s.err = err
		return s, true
	}
	s.writeIn.LiveObject = object
	names := conflict.NewNames(c.Server.Types(s.writeIn.Kind).ParseableType, object)
	var missing error
	for _, typed := range fields {
		f, err := names.Find(typed)
		if err != nil {
			missing = cmp.Or(missing, fmt.Errorf("%s: %w", p.Key, err))
			continue
		}
		if managedfields.Untracked(f.Path) {
			missing = cmp.Or(missing, fmt.Errorf("%s: %s has no owners: the server does not track it", p.Key, f.Path))
			continue
		}
		if !slices.ContainsFunc(s.fields, f.Path.Equals) {
			s.fields = append(s.fields, f.Path)
		}
	}
	s.err = missing
	if len(s.fields) > 0 {
		s.scales = len(s.fields) == 1 && Scales(c.Server, s.writeIn, s.fields[0])
	}
	return s, len(s.fields) > 0
}

// onlyOwner is the one manager that owns all of the fields, beside the one
// that is to have them.
func onlyOwner(s sought, to string) (string, error) {
	var names []string
	for _, path := range s.fields {
		for _, name := range Owners(s.writeIn.LiveObject, path) {
			if name != to && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	switch len(names) {
	case 1:
		return names[0], nil
	case 0:
		return "", fmt.Errorf("no other manager owns it: there is nothing to hand over%v", Elsewhere(s.writeIn.LiveObject))
	}
	return "", fmt.Errorf("several managers own it, %s: name one with --from", strings.Join(names, " and "))
}
