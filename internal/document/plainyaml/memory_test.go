package plainyaml

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// A text of any size reads as the library reads it, and stays what it was while others
// are read.
func TestSizes(t *testing.T) {
	sizes := []int{1, ownFrom / 40, mostHeld / 20, 3 * ownFrom / 20}
	var texts, got [][]byte
	for i, lines := range sizes {
		text := "a:\n" + strings.Repeat(fmt.Sprintf("- text of line %6d\n", i), lines)
		// Escapes make JSON longer than YAML.
		text += "b: |\n" + strings.Repeat("  \"\\\"\n", lines)
		asJSON, ok := ToJSON([]byte(text))
		if !ok {
			t.Fatalf("%d bytes are not read", len(text))
		}
		texts, got = append(texts, []byte(text)), append(got, asJSON)
	}
	for i, text := range texts {
		want, err := yaml.YAMLToJSON(text)
		if err != nil || !bytes.Equal(want, got[i]) {
			t.Errorf("%d bytes read as %d bytes of JSON, want %d, %v", len(text), len(got[i]), len(want), err)
		}
	}
}
