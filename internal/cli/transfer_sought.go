package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/transfer"
)

// sought is a live object with the fields of it that are asked for.
type sought struct {
	key    string
	write  engine.Write
	fields []fieldpath.Path
	// scales is true for the number of replicas of a kind that has the scale
	// subresource.
	scales bool
	// err says why nothing can be planned.
	err error
}

// seekAll finds the fields in each object that is wanted, and counts the objects
// that have none of them. Where no object has them, the error is that of the
// first.
func (c *cluster) seekAll(wanted []objectName, fields []string) (out []sought, without int, err error) {
	pairs, err := c.targets(wanted)
	switch {
	case err != nil:
		return nil, 0, err
	case len(fields) == 0:
		return nil, 0, errors.New("no FIELD is named: what is to be handed over?")
	}
	for _, p := range pairs {
		var found bool
		s := guard.Or(func() (s sought) { s, found = c.seek(p, fields); return s },
			func(err error) sought { found = true; return unsought(c, p, err) })
		if s.err != nil && !found {
			err, without = firstError(err, s.err), without+1
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
func unsought(c *cluster, p pair, err error) sought {
	return sought{key: p.key.String(), write: c.write(p).WithBody(nil, nil), err: err}
}

// seek finds the fields in one object. It is false for one that has none of
// them; one that has some of them only cannot be planned for.
func (c *cluster) seek(p pair, fields []string) (s sought, found bool) {
	s = unsought(c, p, p.err)
	if s.err != nil {
		return s, true
	}
	object, err := p.live.Decode()
	if err == nil {
		err = c.misfit(s.write.Kind, object)
	}
	if err != nil {
		s.err = err
		return s, true
	}
	s.write.LiveObject = object
	names := explain.NewNames(c.server.Types(s.write.Kind).ParseableType, object)
	var missing error
	for _, typed := range fields {
		f, err := names.Find(typed)
		if err != nil {
			missing = firstError(missing, fmt.Errorf("%s: %w", p.key, err))
			continue
		}
		if managedfields.Untracked(f.Path) {
			missing = firstError(missing, fmt.Errorf("%s: %s has no owners: the server does not track it", p.key, f.Path))
			continue
		}
		if !slices.ContainsFunc(s.fields, f.Path.Equals) {
			s.fields = append(s.fields, f.Path)
		}
	}
	s.err = missing
	if len(s.fields) > 0 {
		s.scales = len(s.fields) == 1 && transfer.Scales(c.server, s.write, s.fields[0])
	}
	return s, len(s.fields) > 0
}

// onlyOwner is the one manager that owns all of the fields, beside the one
// that is to have them.
func onlyOwner(s sought, to string) (string, error) {
	var names []string
	for _, path := range s.fields {
		for _, name := range transfer.Owners(s.write.LiveObject, path) {
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
		return "", fmt.Errorf("no other manager owns it: there is nothing to hand over%v", transfer.Elsewhere(s.write.LiveObject))
	}
	return "", fmt.Errorf("several managers own it, %s: name one with --from", strings.Join(names, " and "))
}
