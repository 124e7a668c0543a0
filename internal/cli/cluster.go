package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ssactl/ssactl/internal/apiserver"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/live"
	"github.com/ssactl/ssactl/internal/manifest"
)

// cluster is what stands in for one: the manifests to write, the live objects
// that they name, and a server that knows the kinds.
type cluster struct {
	server    *apiserver.Server
	manifests []manifest.Document
	live      *live.Index
	scope     *scope
	now       time.Time
	// jobs is how many objects are answered at once.
	jobs int
	// problems are the inputs that gave no object, manifests first.
	problems []engine.Problem
	// notices are remarks on inputs, in the order of the input.
	notices []string
}

// loadCluster reads manifests, then the live objects that they name. Inputs
// that cannot be read are problems of the report, not errors: the others are
// still answered.
func (a *app) loadCluster(_ context.Context, in *inputFlags, sf *serverFlags) (*cluster, error) {
	c, err := newCluster(in, sf)
	if err != nil {
		return nil, err
	}
	options := a.reading(in, c)
	var problems []*manifest.Problem
	c.manifests, problems = manifest.Load(in.filenames, options)
	c.addProblems(problems)
	definitions, problems := manifest.Load(in.crds, options)
	c.addProblems(problems)
	c.checkDefinitions(definitions)

	objects := newGiven(definitions, c.manifests)
	first, err := objects.server(sf)
	if err != nil {
		return nil, err
	}
	c.scope = &scope{server: first, namespace: in.namespace}
	c.loadLive(in.live, options)
	if c.server, err = objects.withLive(c.live.Kept()).server(sf); err != nil {
		return nil, err
	}
	c.scope.server = c.server
	return c, nil
}

// newCluster is a cluster into which nothing was read yet.
func newCluster(in *inputFlags, sf *serverFlags) (*cluster, error) {
	if err := checkStdin(in.filenames, in.live, in.crds); err != nil {
		return nil, err
	}
	if sf.jobs < 1 {
		return nil, fmt.Errorf("--jobs %d: at least one object is answered at a time", sf.jobs)
	}
	now, err := sf.clock()
	if err != nil {
		return nil, err
	}
	return &cluster{jobs: sf.jobs, now: now}, nil
}

// reading says how inputs are read; remarks on them go to the cluster.
func (a *app) reading(in *inputFlags, c *cluster) manifest.Options {
	return manifest.Options{
		Stdin:            a.streams.In,
		Recursion:        in.recursion(),
		MaxDocumentBytes: in.maxBytes,
		OnNotice:         func(n manifest.Notice) { c.notices = append(c.notices, n.String()) },
	}
}

// loadLive keeps the live objects that a manifest names, and those that the
// server's code looks up. Without manifests it keeps all.
func (c *cluster) loadLive(paths []string, input manifest.Options) {
	options := live.Options{Input: input, KeyOf: c.scope.key, Keep: isGiven}
	if len(c.manifests) > 0 {
		wanted := map[live.Key]bool{}
		for _, document := range c.manifests {
			wanted[c.scope.key(document.Identity)] = true
		}
		options.Want = func(k live.Key) bool { return wanted[k] }
	}
	index, errs := live.Load(paths, options)
	c.live = index
	for _, err := range errs {
		c.addLive(err)
	}
}

// addLive notes why a live object is not in the index. A duplicate is told with
// the object that it concerns.
func (c *cluster) addLive(err error) {
	var duplicate *live.DuplicateError
	if err != nil && !errors.As(err, &duplicate) {
		c.problems = append(c.problems, problemOf(err))
	}
}

// checkDefinitions tells which of the --crds define nothing.
func (c *cluster) checkDefinitions(definitions []manifest.Document) {
	for _, d := range definitions {
		if !isDefinition(d.Identity) {
			continue
		}
		if err := apiserver.CheckDefinition(d.JSON()); err != nil {
			c.problems = append(c.problems, engine.Problem{Source: engine.Source(d.Source), Message: err.Error()})
		}
	}
}

func (c *cluster) addProblems(problems []*manifest.Problem) {
	for _, p := range problems {
		c.problems = append(c.problems, problemOf(p))
	}
}

func problemOf(err error) engine.Problem {
	var p *manifest.Problem
	if errors.As(err, &p) {
		return engine.Problem{Source: engine.Source(p.Source), Message: p.Message()}
	}
	return engine.Problem{Message: err.Error()}
}

// checkStdin refuses to read standard input twice.
func checkStdin(lists ...[]string) error {
	seen := 0
	for _, list := range lists {
		for _, path := range list {
			if path == "-" {
				seen++
			}
		}
	}
	if seen > 1 {
		return fmt.Errorf("standard input (-) is named %d times, but it can be read only once: put one of them into a file", seen)
	}
	return nil
}
