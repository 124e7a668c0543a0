package serve

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/server/api"
)

// places are the manifests in files that a command names, by their objects: findings have lines then.
type places map[live.Key]manifest.Document

// placesIn reads the files that the words of a command name, as in -f web.yaml. What cannot be read
// is for the command to report.
func placesIn(command []string) places {
	out := places{}
	for _, word := range command {
		if name, value, found := strings.Cut(word, "="); found && strings.HasPrefix(name, "-") {
			word = value
		}
		if !slices.Contains(extensions, filepath.Ext(word)) || !isFile(word) {
			continue
		}
		documents, _ := manifest.Load([]string{word}, manifest.Options{})
		for _, d := range documents {
			out[live.KeyOf(d.Identity)] = d
		}
	}
	return out
}

// extensions are those of manifests, for kubectl too.
var extensions = []string{".yaml", ".yml", ".json"}

// locate gives writes of an object the place of its manifest. A manifest may leave the namespace to the
// client, and deletions need none.
func (p places) locate(object []written) {
	for i := range object {
		w := &object[i].write
		key := live.Key{Group: w.Kind.Group, Kind: w.Kind.Kind, Namespace: w.Namespace, Name: w.Name}
		d, known := p[key]
		if !known {
			key.Namespace = ""
			d, known = p[key]
		}
		if known && w.Verb != api.Delete && w.Subresource == "" {
			w.Source, w.Locator = report.Source(d.Source), cluster.Locator{Document: d}
		}
	}
}
