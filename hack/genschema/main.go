// Command genschema generates the data of internal/server/schema from the OpenAPI
// definitions of Kubernetes. See README.md.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/spec3"
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

// publishedDefinitions reads the OpenAPI v3 documents that a release of
// k8s.io/kubernetes carries (api/openapi-spec/v3): those of all API groups that
// it can serve, and of nothing else. The test proves for the release that it
// links that they give the merge schemas that its code gives.
func publishedDefinitions(release string) (map[string]*spec.Schema, error) {
	dir, err := moduleDir("k8s.io/kubernetes@" + release)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "api", "openapi-spec", "v3", "api*_openapi.json"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no OpenAPI documents in %s: %v", release, err)
	}
	definitions := map[string]*spec.Schema{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var document spec3.OpenAPI
		if err := json.Unmarshal(raw, &document); err != nil {
			return nil, fmt.Errorf("parse %s: %w", filepath.Base(file), err)
		}
		if document.Components == nil {
			continue
		}
		for name, definition := range document.Components.Schemas {
			definitions[name] = definition
		}
	}
	return definitions, nil
}

// moduleDir downloads a module into the module cache and reports where it is.
func moduleDir(module string) (string, error) {
	out, err := exec.Command("go", "mod", "download", "-json", module).Output()
	if err != nil {
		return "", fmt.Errorf("download %s: %w", module, err)
	}
	var info struct{ Dir string }
	if err := json.Unmarshal(out, &info); err != nil {
		return "", err
	}
	return info.Dir, nil
}
