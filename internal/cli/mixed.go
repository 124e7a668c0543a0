package cli

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
)

// mixed are the documents of -f where it takes live objects and manifests
// alike.
type mixed struct {
	live, manifests []manifest.Document
	// guessed: no document came from a server, and all are taken to be live.
	guessed bool
}

// loadMixed loads a cluster for the commands whose -f takes live objects and
// manifests alike: what one -f names (a file, a directory, standard input) is
// live as a whole when any object in it came from a server, else it is
// manifests. Beside --live, every -f is manifests; and where nothing at all
// came from a server, everything is live, with a remark.
func (a *app) loadMixed(ctx context.Context, in *inputFlags, sf *serverFlags) (*cluster, error) {
	c, err := newCluster(in, sf)
	if err != nil {
		return nil, err
	}
	c.bar, c.secrets = a.bar, a.secrets
	a.recoverFiles(ctx, in)
	defer a.showReading(in)()
	options := a.reading(ctx, in, c)
	documents := a.loadDocuments(ctx, c, in, options)
	if ctx.Err() != nil {
		return nil, errors.New("interrupted while the inputs were read; nothing was answered")
	}
	if documents.guessed {
		c.notices = append(c.notices, "no object has managedFields, a uid or a resourceVersion; all are taken as live objects (fetch them with kubectl get -o yaml --show-managed-fields)")
	}
	if c.manifests, err = in.selector.among(documents.manifests); err != nil {
		return nil, err
	}
	definitions, problems := manifest.Load(in.crds, options)
	c.addProblems(problems)
	c.checkDefinitions(definitions)

	// Scopes are those of the kinds, and kinds may be defined anywhere.
	objects := newGiven(definitions, c.manifests)
	maps.Copy(objects.parameters, parametersOf(documents.live))
	c.parameters = objects.parameters
	for _, d := range documents.live {
		objects.add(d)
	}
	if c.server, err = objects.server(sf); err != nil {
		return nil, err
	}
	c.scope = &scope{server: c.server, namespace: in.namespace, strict: in.strict}
	c.live = live.New(live.Options{KeyOf: c.scope.key, Match: in.selector.matches})
	for _, d := range documents.live {
		c.addLive(c.live.Add(d))
	}
	c.noteElsewhere()
	c.plan(objects.planned)
	return c, nil
}

func (a *app) loadDocuments(ctx context.Context, c *cluster, in *inputFlags, options manifest.Options) mixed {
	var m mixed
	for _, path := range in.live {
		documents, problems := manifest.Load([]string{path}, options)
		c.addProblems(problems)
		m.live = append(m.live, documents...)
	}
	for _, path := range in.filenames {
		documents, problems := manifest.Load([]string{path}, options)
		c.addProblems(problems)
		if len(in.live) == 0 && slices.ContainsFunc(documents, manifest.Document.FromServer) {
			m.live = append(m.live, documents...)
		} else {
			m.manifests = append(m.manifests, documents...)
		}
	}
	if len(m.live) == 0 && len(in.live) == 0 && len(m.manifests) > 0 {
		m = mixed{live: m.manifests, guessed: true}
	}
	if in.kustomize != "" {
		documents, problems := a.loadGiven(ctx, in, options)
		c.addProblems(problems)
		m.manifests = append(m.manifests, documents...)
	}
	return m
}
