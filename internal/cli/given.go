package cli

import (
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/server"
)

// given are the objects among the inputs that decide how others are answered:
// CustomResourceDefinitions, and what admission looks up.
type given struct {
	crds, objects [][]byte
}

func isDefinition(id manifest.Identity) bool {
	return id.Group() == "apiextensions.k8s.io" && id.Kind == "CustomResourceDefinition"
}

// isGiven tells whether an object is one of those.
func isGiven(id manifest.Identity) bool {
	return isDefinition(id) || server.LooksUp(kindOf(id).GroupKind())
}

// newGiven collects them from files of definitions, then from manifests: of
// two definitions of one name, what the cluster has counts, and then what a
// manifest is about to put there.
func newGiven(definitions, manifests []manifest.Document) given {
	var g given
	for _, documents := range [][]manifest.Document{manifests, definitions} {
		for _, d := range documents {
			g.add(d)
		}
	}
	return g
}

// withLive adds what the live files have.
func (g given) withLive(objects []*live.Object) given {
	for _, o := range objects {
		g.add(o.Document)
	}
	return g
}

func (g *given) add(d manifest.Document) {
	switch {
	case isDefinition(d.Identity):
		// One that cannot be read defines nothing; the answer to writing it
		// says what is wrong with it.
		if server.CheckDefinition(d.JSON()) == nil {
			g.crds = append(g.crds, d.JSON())
		}
	case isGiven(d.Identity):
		g.objects = append(g.objects, d.JSON())
	}
}

func (g given) server(f *serverFlags) (*server.Server, error) {
	options := f.options()
	options.CRDs, options.Objects = g.crds, g.objects
	return server.New(options)
}
