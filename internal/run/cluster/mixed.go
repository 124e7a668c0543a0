package cluster

import (
	"context"
	"slices"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/run/input"
)

// mixed are the documents of -f where it takes live objects and manifests
// alike.
type mixed struct {
	live, manifests []manifest.Document
}

// readDocuments reads the manifests. For the commands whose -f takes live objects
// and manifests alike, it reads both: what one -f names (a file, a directory,
// standard input) is live as a whole when any object in it came from a server,
// else it is manifests. Beside --live, every -f is manifests; and where nothing at
// all came from a server, everything is live, with a remark.
func (c *Cluster) readDocuments(ctx context.Context, in *input.Flags, options manifest.Options) mixed {
	var m mixed
	if !in.Mixed {
		m.manifests = c.readManifests(ctx, in, options)
		return m
	}
	for _, path := range in.Live {
		m.live = append(m.live, c.Documents([]string{path}, options)...)
	}
	for _, path := range in.Filenames {
		documents := c.Documents([]string{path}, options)
		if len(in.Live) == 0 && slices.ContainsFunc(documents, manifest.Document.FromServer) {
			m.live = append(m.live, documents...)
		} else {
			m.manifests = append(m.manifests, documents...)
		}
	}
	if len(m.live) == 0 && len(in.Live) == 0 && len(m.manifests) > 0 {
		m.live, m.manifests = m.manifests, nil
		c.Notices = append(c.Notices, "no object has managedFields, a uid or a resourceVersion; all are taken as live objects (fetch them with kubectl get -o yaml --show-managed-fields)")
	}
	if in.Kustomize != "" {
		m.manifests = append(m.manifests, c.readManifests(ctx, in, options)...)
	}
	return m
}

// readManifests reads the manifests, or builds them.
func (c *Cluster) readManifests(ctx context.Context, in *input.Flags, options manifest.Options) []manifest.Document {
	if in.Kustomize == "" {
		return c.Documents(in.Filenames, options)
	}
	documents, problems := in.Build(ctx, options)
	c.addProblems(problems)
	return documents
}

// Documents reads documents; what cannot be read is a problem.
func (c *Cluster) Documents(paths []string, options manifest.Options) []manifest.Document {
	documents, problems := manifest.Load(paths, options)
	c.addProblems(problems)
	return documents
}

func (c *Cluster) addProblems(problems []*manifest.Problem) {
	for _, p := range problems {
		c.Problems = append(c.Problems, ProblemOf(p))
	}
}
