package told

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/story"
	"github.com/ssactl/ssactl/test/oracle/kube"
	"github.com/ssactl/ssactl/test/oracle/scenario"
)

// Teller tells stories to one server.
type Teller struct {
	Server *kube.Server
	// paths are those of the collections of kinds, by API version and kind.
	paths map[string]resource
	// folder is that of the story, namespace where its objects without one are, and made are
	// the objects to remove behind it, by their paths.
	folder, namespace string
	made              []string
	// revisions are those that the server has given live objects, by those in the story.
	revisions map[any]any
}

// Told is what a story came to.
type Told struct {
	// Steps is how many steps were told; Left says why the story ended before its last one, and
	// is empty where it did not.
	Steps    int
	Left     string
	Failures []story.Failure
}

// Tell tells a story up to the first step that is more than one request of its own: what a client
// sends, and what ssactl plans.
func (t *Teller) Tell(ctx context.Context, s story.Story) (out Told, err error) {
	t.begin(s)
	defer func() {
		if failed := t.clear(ctx); err == nil {
			err = failed
		}
	}()
	if err := t.prepare(ctx, s); err != nil {
		return out, err
	}
	for _, step := range s.Steps {
		if out.Left = severalRequests(step); out.Left != "" {
			return out, nil
		}
		answers, err := t.step(ctx, step)
		if errors.Is(err, errNotServed) {
			out.Left = err.Error()
			return out, nil
		}
		if err != nil {
			return out, fmt.Errorf("%s:%d: %w", step.At.File, step.At.Line, err)
		}
		out.Steps++
		out.Failures = append(out.Failures, story.Check(answerable(step), answers, true)...)
	}
	return out, nil
}

// begin forgets the story before.
func (t *Teller) begin(s story.Story) {
	t.paths, t.folder, t.namespace, t.made = map[string]resource{}, filepath.Dir(s.At.File), s.Namespace, nil
	t.revisions = map[any]any{}
}

// severalRequests says why a step is more than one request; empty where it is one.
func severalRequests(s story.Step) string {
	switch {
	case len(s.Apply) > 0 && s.Client != "none":
		return "client " + cmp.Or(s.Client, "auto")
	case s.Kustomization != "":
		return "kustomization"
	case len(s.Migrate) > 0:
		return "migrate"
	case s.Transfer != "":
		return "transfer"
	}
	return ""
}

// ours are the expectations about what ssactl says, and no server does.
var ours = []string{"changes", "findings", "policy", "settles", "cycle", "exactly"}

// answerable is a step with the expectations that a server answers.
func answerable(s story.Step) story.Step {
	s.Expect = slices.Clone(s.Expect)
	for i, e := range s.Expect {
		e.Changes, e.Findings, e.Policy, e.Settles, e.Cycle, e.Exactly = nil, nil, nil, "", nil, false
		e.Places = maps.Clone(e.Places)
		for _, key := range ours {
			delete(e.Places, key)
		}
		s.Expect[i] = e
	}
	return s
}

// prepare makes the namespace, the definitions and the live objects of a story.
func (t *Teller) prepare(ctx context.Context, s story.Story) error {
	for _, file := range s.CRDs {
		objects, err := t.objects([]story.Body{{Path: file}})
		if err != nil {
			return err
		}
		for _, o := range objects {
			if err := t.define(ctx, o); err != nil {
				return err
			}
		}
	}
	live, err := t.objects(s.Live)
	if err != nil {
		return err
	}
	var force time.Duration
	for _, o := range live {
		if err := t.store(ctx, o); err != nil {
			return err
		}
		kind, _ := o["kind"].(string)
		force = max(force, scenario.InForce(kind))
	}
	return sleep(ctx, force)
}

// objects are those of bodies.
func (t *Teller) objects(list []story.Body) (out []map[string]any, err error) {
	for _, b := range list {
		if b.Object != nil {
			out = append(out, b.Object)
			continue
		}
		path := b.Path
		if !filepath.IsAbs(path) {
			path = filepath.Join(t.folder, path)
		}
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
		documents, problems := manifest.Load([]string{path}, manifest.Options{Recursion: manifest.Recursive})
		for _, p := range problems {
			return nil, p
		}
		for _, d := range documents {
			object, err := jsontree.Decode(d.JSON())
			if err != nil {
				return nil, err
			}
			out = append(out, object)
		}
	}
	return out, nil
}

// nameOf are the namespace and the name of an object.
func nameOf(object map[string]any) (namespace, name string) {
	metadata, _ := object["metadata"].(map[string]any)
	namespace, _ = metadata["namespace"].(string)
	name, _ = metadata["name"].(string)
	return namespace, name
}

// split are the parts of [NAMESPACE/]KIND[.GROUP]/NAME.
func split(object string) (namespace, kind, group, name string) {
	parts := strings.Split(object, "/")
	if len(parts) == 3 {
		namespace, parts = parts[0], parts[1:]
	}
	kind, group, _ = strings.Cut(parts[0], ".")
	return namespace, kind, group, parts[len(parts)-1]
}
