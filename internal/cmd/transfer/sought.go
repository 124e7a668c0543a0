package transfer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
)

// sought is a live object with the fields of it that are asked for.
type sought struct {
	key    string
	object engine.Write
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
func seekAll(c *cluster.Cluster, wanted []input.ObjectName, fields []string) (out []sought, without int, err error) {
	pairs, err := c.Targets(wanted)
	switch {
	case err != nil:
		return nil, 0, err
	case len(fields) == 0:
		return nil, 0, errors.New("no FIELD is named: what is to be handed over?")
	}
	for _, p := range pairs {
		s := sought{key: p.Key.String(), object: c.Write(p).WithBody(nil, nil), err: p.Err}
		if s.err == nil {
			s.err = guard.Do(func() error { return s.decode(c, p) })
		}
		found := true
		if s.err == nil {
			s.err = guard.Do(func() error {
				err := s.seek(c, fields)
				found = len(s.fields) > 0
				return err
			})
		}
		if !found {
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

func (s *sought) decode(c *cluster.Cluster, p cluster.Pair) error {
	object, err := p.Live.Decode()
	if err == nil {
		err = c.Misfit(s.object.Kind, object)
	}
	if err == nil {
		s.object.LiveObject = object
	}
	return err
}

// seek finds the fields; the error is the first of those that are not there.
func (s *sought) seek(c *cluster.Cluster, fields []string) (missing error) {
	names := conflict.NewNames(c.Server.Types(s.object.Kind).ParseableType, s.object.LiveObject)
	for _, typed := range fields {
		f, err := names.Find(typed)
		switch {
		case err != nil:
			missing = cmp.Or(missing, fmt.Errorf("%s: %w", s.key, err))
		case managedfields.Untracked(f.Path):
			missing = cmp.Or(missing, fmt.Errorf("%s: %s has no owners: the server does not track it", s.key, f.Path))
		case !slices.ContainsFunc(s.fields, f.Path.Equals):
			s.fields = append(s.fields, f.Path)
		}
	}
	s.scales = len(s.fields) == 1 && scales(c.Server, s.object, s.fields[0])
	return missing
}

// onlyOwner is the one manager that owns all of the fields, beside the one
// that is to have them.
func (s sought) onlyOwner(to string) (string, error) {
	var names []string
	for _, path := range s.fields {
		for _, name := range Owners(s.object.LiveObject, path) {
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
		return "", fmt.Errorf("no other manager owns it: there is nothing to hand over%v", elsewhere(s.object.LiveObject))
	}
	return "", fmt.Errorf("several managers own it, %s: name one with --from", strings.Join(names, " and "))
}

// nextOf is how the client of the former owner applies next; nil where that is one apply.
func (o *transferOptions) nextOf(ctx context.Context, c *cluster.Cluster, q Request) (*Next, error) {
	f := o.ClientFlags
	name := o.senderOf(c, q)
	w := q.Object
	w.Verb, w.Manager = api.Apply, q.From
	planned := func() (*client.Client, error) {
		made, err := c.MakeClient(&f, name, func(yield func(map[string]any) bool) { yield(w.LiveObject) })
		if made != nil && err == nil {
			made.Plan(ctx, c.Server, []engine.Write{w})
		}
		return made, err
	}
	made, err := planned()
	if made == nil || err != nil {
		return nil, err
	}
	applied := made.Applied(client.KeyOf(w))
	if name == "helm" && applied == nil {
		// No revision says what was applied: the manifest does, or what helm owns.
		if applied = deployed(c, q); applied == nil {
			return nil, nil
		}
		if f.Settings.ReleaseManifest, err = json.Marshal(applied); err != nil {
			return nil, err
		}
		if made, err = planned(); err != nil {
			return nil, err
		}
	}
	return &Next{Client: made, Applied: applied}, nil
}

// senderOf is the client of the former owner: the one that is named, but where it is that of
// the next one, or the one that its name is that of.
func (o *transferOptions) senderOf(c *cluster.Cluster, q Request) string {
	program, is := about.Find(o.Name)
	switch {
	case is && (program.Manager == q.From || program.Manager != q.To):
		return o.Name
	case o.Name != about.Auto:
		return about.None
	case q.From == "helm":
		// An Update entry of helm is that of a release that is applied client-side.
		return "helm"
	}
	return c.Shown(q.From)
}

// deployed is what helm applied last: the manifest, or what its entries have; nil where
// that is not known.
func deployed(c *cluster.Cluster, q Request) map[string]any {
	if q.FromManifest != nil {
		return q.FromManifest.Decoded
	}
	apiVersion, _ := q.Object.Kind.ToAPIVersionAndKind()
	set := fieldpath.NewSet()
	for _, e := range managedfields.Of(q.Object.LiveObject).Readable() {
		if e.Manager == q.From && e.APIVersion == apiVersion && e.Subresource == "" {
			set = set.Union(e.Set)
		}
	}
	if set.Empty() {
		return nil
	}
	// Nil where it cannot be cut out.
	body, _ := engine.Extract(c.Server.Types(q.Object.Kind).ParseableType, q.Object.LiveObject, set)
	return body
}
