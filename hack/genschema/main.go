// Command genschema generates the data of internal/server/schema from the OpenAPI
// definitions of Kubernetes. See README.md.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/validation/spec"

	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

func main() {
	log.SetFlags(0)
	out := flag.String("out", filepath.Join("..", "..", "internal", "server", "schema", "data"), "folder to write to")
	flag.Parse()
	for _, release := range mergeschema.Releases() {
		if err := generate(release.String(), filepath.Join(*out, release.Name())); err != nil {
			log.Fatalf("generate %s: %v", release.Name(), err)
		}
	}
}

// generate writes the merge schemas of a release, and its facts beside them.
func generate(release, path string) error {
	definitions, err := publishedDefinitions(release)
	if err != nil {
		return err
	}
	encoded, err := encode(definitions)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".bin", encoded, 0o644); err != nil {
		return err
	}
	facts, err := encodeFacts(factsOf(definitions))
	if err != nil {
		return err
	}
	return os.WriteFile(path+".facts.gz", facts, 0o644)
}

// encode converts definitions as the server does, with its own converter.
func encode(definitions map[string]*spec.Schema) ([]byte, error) {
	models, err := schemaconv.ToSchemaFromOpenAPI(definitions, false)
	if err != nil {
		return nil, fmt.Errorf("convert definitions: %w", err)
	}
	kinds := map[schema.GroupVersionKind]string{}
	for name, definition := range definitions {
		for _, kind := range kindsOf(definition) {
			if other, ok := kinds[kind]; ok && other != name {
				return nil, fmt.Errorf("%s is both %s and %s", kind, other, name)
			}
			kinds[kind] = name
		}
	}
	return encodeTypes(models.Types, kinds)
}

// kindsOf reads the kinds of a definition from its extension, as the server's
// type converter does. Those of many groups (DeleteOptions, WatchEvent) are no
// objects that anybody applies, and are left out.
func kindsOf(definition *spec.Schema) []schema.GroupVersionKind {
	list, _ := definition.Extensions["x-kubernetes-group-version-kind"].([]any)
	if len(list) != 1 {
		return nil
	}
	entry, _ := list[0].(map[string]any)
	group, _ := entry["group"].(string)
	version, _ := entry["version"].(string)
	kind, _ := entry["kind"].(string)
	return []schema.GroupVersionKind{{Group: group, Version: version, Kind: kind}}
}
