package manifest

import (
	"strings"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

func TestLocate(t *testing.T) {
	text := "# top\napiVersion: v1\nkind: Service\nmetadata:\n  name: s\n  finalizers:\n  - a\n  - b\nspec:\n  ports:\n  - port: 80\n  - port: 80\n    protocol: UDP\n"
	documents, problems := Load([]string{"-"}, Options{Stdin: strings.NewReader(text)})
	if len(documents) != 1 || len(problems) != 0 {
		t.Fatalf("got %d documents and %v", len(documents), problems)
	}
	tests := []struct {
		path fieldpath.Path
		line int
		ok   bool
	}{
		{fieldpath.MakePathOrDie("metadata", "name"), 5, true},
		{fieldpath.MakePathOrDie("metadata", "finalizers", fieldpath.ValueElement(value.NewValueInterface("b"))), 8, true},
		{fieldpath.MakePathOrDie("spec", "ports", fieldpath.KeyElementByFields("port", 80, "protocol", "TCP")), 11, true},
		{fieldpath.MakePathOrDie("spec", "ports", fieldpath.KeyElementByFields("port", 80, "protocol", "UDP")), 12, true},
		{fieldpath.MakePathOrDie("spec", "ports", 1, "protocol"), 13, true},
		{fieldpath.MakePathOrDie("spec", "type"), 9, false},
	}
	for _, tt := range tests {
		line, ok := Locate(documents[0], tt.path)
		if line != tt.line || ok != tt.ok {
			t.Errorf("Locate(%s) = %d, %v, want %d, %v", tt.path, line, ok, tt.line, tt.ok)
		}
	}
}
