package plainyaml

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/test/crds"
)

// TestDefinitions: definitions are converted, as generators write them and below a
// List as kubectl does.
func TestDefinitions(t *testing.T) {
	for number := range uint64(6) {
		text, err := yaml.Marshal(crds.Make(1, number, 30_000))
		if err != nil {
			t.Fatal(err)
		}
		item := bytes.ReplaceAll(text, []byte("\n"), []byte("\n  "))
		for _, text := range [][]byte{text, append([]byte("  "), bytes.TrimRight(item, " ")...)} {
			checkLaw(t, text)
			if _, ok := ToJSON(text); !ok {
				t.Errorf("definition %d was not converted", number)
			}
		}
	}
}

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

// benchmarked are what both are measured with: a live object as kubectl writes
// it, and a large definition as controller-gen does.
func benchmarked(b *testing.B, run func(text []byte)) {
	b.Helper()
	live, err := os.ReadFile(filepath.Join("..", "..", "..", "examples", "autoscaler", "live.yaml"))
	if err != nil {
		b.Fatal(err)
	}
	definition, err := yaml.Marshal(crds.Make(1, 1, 1<<20))
	if err != nil {
		b.Fatal(err)
	}
	for _, of := range []struct {
		name string
		text []byte
	}{{"live", live}, {"definition", definition}} {
		b.Run(of.name, func(b *testing.B) {
			if _, ok := ToJSON(of.text); !ok {
				b.Fatal("the text is not plain")
			}
			b.SetBytes(int64(len(of.text)))
			b.ReportAllocs()
			for b.Loop() {
				run(of.text)
			}
		})
	}
}

func BenchmarkToJSON(b *testing.B) {
	benchmarked(b, func(text []byte) { ToJSON(text) })
}

// BenchmarkParser is what ToJSON stands in for.
func BenchmarkParser(b *testing.B) {
	benchmarked(b, func(text []byte) {
		if _, err := yaml.YAMLToJSON(text); err != nil {
			b.Fatal(err)
		}
	})
}
