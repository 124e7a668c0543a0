package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/ssactl/ssactl/internal/report"
)

// documentSchema is the published schema of what -o report writes.
var documentSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	file, err := os.Open(filepath.Join("..", "..", "docs", "report.schema.json"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	document, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(file.Name(), document); err != nil {
		return nil, err
	}
	return c.Compile(file.Name())
})

// misfits says how a document that ssactl wrote does not fit the schema; nil where
// it does.
func misfits(t *testing.T, text []byte) error {
	t.Helper()
	schema, err := documentSchema()
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(document)
}

// TestDocumentsFit: what each command writes for programs fits the published schema.
func TestDocumentsFit(t *testing.T) {
	format, kinds := regexp.MustCompile(`-o (json|report)$`), map[string]bool{}
	for _, seed := range hostileSeeds(t) {
		for _, line := range hostileLines() {
			if !format.MatchString(line) {
				continue
			}
			h := hostileRun{line: strings.ReplaceAll(line, "TEXT", "spec"), text: "spec", files: map[string][]byte{}}
			for name, v := range map[string]any{"LIVE": seed.live, "MANIFEST": seed.manifest, "PATCH": seed.manifest, "CRDS": seed.crds} {
				h.files[name], _ = json.Marshal(v)
			}
			out := h.run(t, t.TempDir()).stdout
			var head report.Head
			if json.Unmarshal([]byte(out), &head) != nil || head.APIVersion != report.APIVersion {
				continue
			}
			kinds[head.Kind] = true
			if err := misfits(t, []byte(out)); err != nil {
				t.Errorf("ssactl %s: %v", line, err)
			}
		}
	}
	if len(kinds) < 10 {
		t.Errorf("only %v were written", kinds)
	}
}
