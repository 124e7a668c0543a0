package plainyaml

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestExamples holds the law against what people write by hand.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "examples", "*", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	converted := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range bytes.Split(text, []byte("\n---\n")) {
			checkLaw(t, document)
			if _, ok := ToJSON(document); ok {
				converted++
			}
		}
	}
	if converted == 0 {
		t.Error("none of the examples was converted")
	}
}

func example(b *testing.B) []byte {
	b.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "examples", "autoscaler", "live.yaml"))
	if err != nil {
		b.Fatal(err)
	}
	if _, ok := ToJSON(text); !ok {
		b.Fatal("the example is not plain")
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	return text
}

func BenchmarkToJSON(b *testing.B) {
	text := example(b)
	for b.Loop() {
		ToJSON(text)
	}
}

// BenchmarkParser is what ToJSON stands in for.
func BenchmarkParser(b *testing.B) {
	text := example(b)
	for b.Loop() {
		if _, err := yaml.YAMLToJSON(text); err != nil {
			b.Fatal(err)
		}
	}
}
