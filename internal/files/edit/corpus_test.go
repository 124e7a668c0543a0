package edit

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"testing"

	yaml "go.yaml.in/yaml/v3"

	"github.com/ssactl/ssactl/internal/document"
)

// manifests gives the applied configurations of the recorded stories, each
// once.
func manifests(t *testing.T) []any {
	t.Helper()
	file, err := os.Open("../../../testdata/corpus/public-handwritten.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var found []any
	seen := map[string]bool{}
	for decoder := json.NewDecoder(text); ; {
		var scenario struct {
			Steps []struct {
				Op      string
				Request struct{ Body json.RawMessage }
			}
		}
		if err := decoder.Decode(&scenario); err == io.EOF {
			return found
		} else if err != nil {
			t.Fatal(err)
		}
		for _, step := range scenario.Steps {
			body, err := document.Value(step.Request.Body, true)
			if _, isMap := body.(map[string]any); step.Op == "apply" && err == nil && isMap && !seen[string(step.Request.Body)] {
				seen[string(step.Request.Body)] = true
				found = append(found, body)
			}
		}
	}
}

// layouts writes a manifest as people do.
func layouts(t *testing.T, manifest any) map[string][]byte {
	t.Helper()
	encode := func(indent int, compact bool) []byte {
		var out bytes.Buffer
		encoder := yaml.NewEncoder(&out)
		encoder.SetIndent(indent)
		if compact {
			encoder.CompactSeqIndent()
		}
		if err := encoder.Encode(manifest); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	pretty, err := json.MarshalIndent(manifest, "", "    ")
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"kubectl": encode(2, true), "indented": encode(4, false),
		"JSON": append(pretty, '\n'), "braces": []byte(jsonText(manifest) + " # one line\n"),
	}
}

// TestCorpusRemovals: of every recorded manifest, in every layout, every field
// can be removed, apart from those that make the object.
func TestCorpusRemovals(t *testing.T) {
	removed := 0
	for _, manifest := range manifests(t) {
		for layout, text := range layouts(t, manifest) {
			for _, p := range everyPath(manifest, nil, nil) {
				doc, err := Document(text)
				if err != nil {
					t.Fatalf("%s: %v\n%s", layout, err, text)
				}
				at := placeOf(p)
				if err := doc.Remove(p); len(at) == 0 || isRequired(at) {
					if !isRefused(err, Required) {
						t.Errorf("%s: remove %s: %v, want it refused", layout, p, err)
					}
					continue
				} else if err != nil {
					t.Errorf("%s: %v\n%s", layout, err, text)
					continue
				}
				oneHunk(t, text, doc.Bytes())
				removed++
			}
		}
	}
	if removed < 1000 {
		t.Errorf("only %d removals were tried", removed)
	}
}

// TestCorpusSets: of every recorded manifest, in every layout, every value can
// be replaced by others, and put back.
func TestCorpusSets(t *testing.T) {
	values := []any{"text", int64(7), "two\nlines\n", []any{"a", int64(1)}, map[string]any{"k": map[string]any{}}}
	for _, manifest := range manifests(t) {
		for layout, text := range layouts(t, manifest) {
			for i, p := range everyPath(manifest, nil, nil)[1:] {
				doc, err := Document(text)
				if err != nil {
					t.Fatal(err)
				}
				former, _ := lookup(manifest, placeOf(p))
				if err := doc.Set(p, values[i%len(values)]); err != nil {
					t.Errorf("%s: %v\n%s", layout, err, text)
				}
				if err := doc.Set(p, former); err != nil {
					t.Errorf("%s: put back: %v\n%s", layout, err, text)
				}
				mustSay(t, doc, manifest)
			}
		}
	}
}
