package manifest

import (
	"strings"
	"testing"
)

func TestFromServer(t *testing.T) {
	tests := map[string]bool{
		"managedFields: [{manager: m}]":               true,
		"managedFields: []":                           false,
		"uid: b1946ac9":                               true,
		`resourceVersion: "7"`:                        true,
		`resourceVersion: ""`:                         false,
		"resourceVersion: 7":                          false,
		"{uid: u, resourceVersion: ''}":               true,
		"creationTimestamp: null":                     false,
		"annotations: {uid: u, resourceVersion: '7'}": false,
	}
	for metadata, want := range tests {
		text := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  " + metadata + "\n"
		if strings.HasPrefix(metadata, "{") {
			text = "apiVersion: v1\nkind: ConfigMap\nmetadata: " + metadata + "\n"
		}
		documents, problems := Load([]string{"-"}, Options{Stdin: strings.NewReader(text)})
		if len(problems) != 0 || len(documents) != 1 {
			t.Fatalf("%s: %v", metadata, problems)
		}
		if got := documents[0].FromServer(); got != want {
			t.Errorf("%s: got %t, want %t", metadata, got, want)
		}
	}
}
