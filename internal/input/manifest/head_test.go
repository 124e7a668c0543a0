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

// TestQuickIdentity: what kubectl and people write is known by its lines; what may be
// anything else is not.
func TestQuickIdentity(t *testing.T) {
	const kind = "apiVersion: v1\nkind: A\n"
	for text, want := range map[string]string{
		kind + "metadata:\n  name: a\n  namespace: b\n":                                                         "b/a",
		kind + "metadata:\n  labels:\n    name: c\n  name: \"1\" # x\nspec:\n- name: d\n":                       "/1",
		kind + "metadata: {name: a, namespace: 'b'}\nname: c\n":                                                 "b/a",
		"# c\r\n" + strings.ReplaceAll(kind+"data:\n  x: |\n    name: c\nmetadata:\n  name: a\n", "\n", "\r\n"): "/a",
		kind + "metadata:\n  annotations:\n    x: 'y\n\n      name: c'\n  name: a\n":                            "/a",
		kind + "metadata:\n  name: a\n   b\n":                                                                   "",
		kind + "metadata:\n  name: a\n  name: b\n":                                                              "",
		kind + "metadata:\n  name: yes\n":                                                                       "",
		kind + "metadata:\n  name: &x a\n":                                                                      "",
		kind + "metadata:\n  generateName: a\n":                                                                 "",
		kind + "metadata:\n  name: a\nx: \"b\n":                                                                 "",
		kind + "<<: *x\nmetadata:\n  name: a\n":                                                                 "",
		"{" + kind + "metadata: {name: a}}\n":                                                                   "",
		"kind: A\nmetadata:\n  name: a\n":                                                                       "",
	} {
		id, ok := quickIdentity([]byte(text), 0)
		got := id.Namespace + "/" + id.Name
		if !ok {
			got = ""
		}
		if got != want || ok && (id.Kind != "A" || id.APIVersion != "v1") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
