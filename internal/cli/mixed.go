package cli

import (
	"context"
	"slices"

	"github.com/ssactl/ssactl/internal/input/manifest"
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
func (c *cluster) readDocuments(ctx context.Context, in *inputFlags, options manifest.Options) mixed {
	var m mixed
	if !in.mixed {
		m.manifests = c.readManifests(ctx, in, options)
		return m
	}
	for _, path := range in.live {
		m.live = append(m.live, c.documents([]string{path}, options)...)
	}
	for _, path := range in.filenames {
		documents := c.documents([]string{path}, options)
		if len(in.live) == 0 && slices.ContainsFunc(documents, manifest.Document.FromServer) {
			m.live = append(m.live, documents...)
		} else {
			m.manifests = append(m.manifests, documents...)
		}
	}
	if len(m.live) == 0 && len(in.live) == 0 && len(m.manifests) > 0 {
		m.live, m.manifests = m.manifests, nil
		c.notices = append(c.notices, "no object has managedFields, a uid or a resourceVersion; all are taken as live objects (fetch them with kubectl get -o yaml --show-managed-fields)")
	}
	if in.kustomize != "" {
		m.manifests = append(m.manifests, c.readManifests(ctx, in, options)...)
	}
	return m
}

// readManifests reads the manifests, or builds them.
func (c *cluster) readManifests(ctx context.Context, in *inputFlags, options manifest.Options) []manifest.Document {
	if in.kustomize == "" {
		return c.documents(in.filenames, options)
	}
	documents, problems := in.build(ctx, options)
	c.addProblems(problems)
	return documents
}

// documents reads documents; what cannot be read is a problem.
func (c *cluster) documents(paths []string, options manifest.Options) []manifest.Document {
	documents, problems := manifest.Load(paths, options)
	c.addProblems(problems)
	return documents
}

func (c *cluster) addProblems(problems []*manifest.Problem) {
	for _, p := range problems {
		c.problems = append(c.problems, problemOf(p))
	}
}
