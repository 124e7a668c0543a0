package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

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
