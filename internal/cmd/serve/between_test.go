package serve

import "testing"

// TestBetween: who else changed an object is named by what managed fields say.
func TestBetween(t *testing.T) {
	const (
		at7 = `{"metadata":{"resourceVersion":"7","managedFields":[{"manager":"helm","operation":"Apply","fieldsV1":{}}]}}`
		at8 = `{"metadata":{"resourceVersion":"8","managedFields":[{"manager":"helm","operation":"Apply","fieldsV1":{}},` +
			`{"manager":"kube-controller-manager","operation":"Update","subresource":"status"},` +
			`{"manager":"autoscaler","operation":"Update"}]}}`
		done = `{"metadata":{"resourceVersion":"8","managedFields":[{"manager":"helm","operation":"Apply","fieldsV1":{}},` +
			`{"manager":"ssactl-serve-ready","operation":"Update","subresource":"status"}]}}`
		bare = `{"metadata":{"resourceVersion":"9"}}`
	)
	for name, test := range map[string]struct{ after, before, want string }{
		"nothing changed": {at7, at7, ""},
		"two others":      {at7, at8, "autoscaler changed the object"},
		"the server":      {at7, done, ""},
		"no entries":      {at7, bare, "another writer changed the object, and no managed fields with it"},
		"deleted":         {at7, "", "another writer deleted the object"},
		"created":         {"", at7, "another writer created the object"},
		"never there":     {"", "", ""},
	} {
		if got := between(orNil(test.after), orNil(test.before)); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func orNil(text string) []byte {
	if text == "" {
		return nil
	}
	return []byte(text)
}
