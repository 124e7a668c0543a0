package kustomize

import (
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/ssactl/ssactl/internal/input/manifest"
)

const buildMetadata = "buildMetadata"

// withOrigins is a kustomization that has kustomize note where each object comes
// from; the same text where it does already, or cannot be read.
func withOrigins(text []byte) []byte {
	var document yaml.Node
	if yaml.Unmarshal(text, &document) != nil || len(document.Content) == 0 ||
		document.Content[0].Kind != yaml.MappingNode {
		return text
	}
	root := document.Content[0]
	list := fieldOf(root, buildMetadata)
	if list == nil || list.Kind != yaml.SequenceNode {
		list = &yaml.Node{Kind: yaml.SequenceNode}
		root.Content = append(root.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: buildMetadata}, list)
	}
	list.Content = append(list.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: types.OriginAnnotations})
	edited, err := yaml.Marshal(&document)
	if err != nil {
		return text
	}
	return edited
}

// origins finds the documents that built objects come from.
type origins struct {
	at      place
	options manifest.Options
	// known are the files that were read.
	known map[string][]manifest.Document
}

// locate is a built document where it comes from, as far as that is known.
func (o *origins) locate(built manifest.Document, from *resource.Origin) manifest.Document {
	switch {
	case from == nil || from.Repo != "":
	case from.ConfiguredIn != "":
		return built.At(o.generator(filepath.Join(o.at.root, from.ConfiguredIn), built))
	case from.Path != "":
		path := filepath.Join(o.at.root, from.Path)
		if origin, ok := o.find(path, built.Identity); ok {
			return built.From(origin)
		}
		return built.At(manifest.Source{File: o.at.named(path)})
	}
	return built.At(manifest.Source{File: o.at.dir})
}

// find is the document of a file that an object was built from: of its kind, and
// with the longest name that is left in the object's.
func (o *origins) find(path string, id manifest.Identity) (manifest.Document, bool) {
	var candidates []manifest.Document
	for _, d := range o.documents(path) {
		if d.Kind == id.Kind && d.Group() == id.Group() {
			candidates = append(candidates, d)
		}
	}
	if len(candidates) == 1 {
		return candidates[0], true
	}
	var best manifest.Document
	for _, d := range candidates {
		if d.Name != "" && strings.Contains(id.Name, d.Name) && len(d.Name) > len(best.Name) {
			best = d
		}
	}
	return best, best.Name != ""
}

func (o *origins) documents(path string) []manifest.Document {
	name := o.at.named(path)
	if documents, known := o.known[name]; known {
		return documents
	}
	options := manifest.Options{
		MaxDocumentBytes: o.options.MaxDocumentBytes, MaxValues: o.options.MaxValues,
		MaxDepth: o.options.MaxDepth, Stop: o.options.Stop,
	}
	documents, _ := manifest.Load([]string{name}, options)
	o.known[name] = documents
	return documents
}

// generator is the place of the generator of an object in a kustomization.
func (o *origins) generator(path string, built manifest.Document) manifest.Source {
	source := manifest.Source{File: o.at.named(path)}
	text, err := newFiles(o.at, o.options).readRegular(path)
	if err != nil {
		return source
	}
	k := parse(text)
	for _, field := range []string{"configMapGenerator", "secretGenerator"} {
		list := k.field(field)
		if list == nil || list.Kind != yaml.SequenceNode {
			continue
		}
		longest := 0
		for _, item := range list.Content {
			name := fieldOf(item, "name")
			isOf := name != nil && strings.HasPrefix(field, strings.ToLower(built.Kind[:1])) &&
				strings.Contains(built.Name, name.Value)
			if isOf && len(name.Value) > longest {
				longest, source.Line = len(name.Value), name.Line
			}
		}
	}
	return source
}
