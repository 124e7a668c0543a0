package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/server"
)

// object is a Kubernetes object as a JSON tree.
type object = map[string]any

// made is one manifest with the live object that it is about.
type made struct {
	// manifest is nil where nobody applies the object.
	manifest object
	// former is the manifest that was applied before; nil where there was none.
	former object
	// live is nil where the object does not exist yet.
	live object
}

func manifestOf(m made) object { return m.manifest }
func formerOf(m made) object   { return m.former }

// applied are those with a manifest.
func applied(all []made) []made {
	return slices.DeleteFunc(slices.Clone(all), func(m made) bool { return m.manifest == nil })
}

// makeAll makes the objects, several at once. Each has its own source of
// randomness, so that the result does not depend on how many.
func makeAll(ctx context.Context, o options, kinds []kind) ([]made, error) {
	server, err := newServer(o)
	if err != nil {
		return nil, err
	}
	all := make([]made, o.crds+o.objects+o.dashboards)
	errs := make([]error, len(all))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range o.jobs {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(all); i = int(next.Add(1)) - 1 {
				number := i - o.crds
				m := maker{
					ctx:     ctx,
					server:  server,
					random:  rand.New(rand.NewPCG(o.seed, uint64(number))),
					number:  number,
					manager: o.manager,
				}
				switch {
				case number < 0:
					all[i], errs[i] = m.newDefinition(o, i)
				case number >= o.objects:
					all[i], errs[i] = m.make(dashboardKind, o)
				default:
					all[i], errs[i] = m.make(pick(kinds, m.random), o)
				}
			}
		})
	}
	workers.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("object %d: %w", i, err)
		}
	}
	if o.operator {
		all = append(operator(o.seed), all...)
	}
	return all, nil
}

func newServer(o options) (*server.Server, error) {
	var crds [][]byte
	for _, text := range definitions {
		crd, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			return nil, err
		}
		crds = append(crds, crd)
	}
	if o.operator {
		crd, err := json.Marshal(routeDefinition(o.seed))
		if err != nil {
			return nil, err
		}
		crds = append(crds, crd)
	}
	return server.New(server.Options{CRDs: crds})
}

// make lives one object's life, and then writes the manifest that comes next.
func (m *maker) make(k kind, o options) (made, error) {
	m.kind = k
	config := m.configuration()
	if m.percent(o.absent) {
		return made{manifest: config}, nil
	}
	if err := m.past(config); err != nil {
		return made{}, fmt.Errorf("%s: %w", k.name, err)
	}
	former := clone(config)
	share := m.random.IntN(100)
	switch {
	case share < o.conflict:
		if err := m.contest(); err != nil {
			return made{}, fmt.Errorf("%s: %w", k.name, err)
		}
	case share < o.conflict+o.changed:
		m.change(config)
	}
	return made{manifest: config, former: former, live: m.live}, nil
}
