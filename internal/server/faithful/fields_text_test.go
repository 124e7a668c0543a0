package faithful

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestStoredFields: the entries' fieldsV1 are written anew, each whole and
// nothing else, be it the same letters.
func TestStoredFields(t *testing.T) {
	for live, want := range map[string]string{
		`{"data":{"a":"{ }"},"metadata":{"managedFields":[{"fieldsV1":{ }}]},"b":{ }}`:                                        `{"data":{"a":"{ }"},"metadata":{"managedFields":[{"fieldsV1":{}}]},"b":{ }}`,
		`{"metadata":{"managedFields":[{"fieldsV1":{"f:b":{},"f:a":{}}},{"fieldsV1":{"f:c":{"f:b":{},"f:a":{}},"f:a":{}}}]}}`: `{"metadata":{"managedFields":[{"fieldsV1":{"f:a":{},"f:b":{}}},{"fieldsV1":{"f:a":{},"f:c":{"f:a":{},"f:b":{}}}}]}}`,
		`{"metadata":{"managedFields":[{"fieldsV1":null},{"fieldsV1":{"x":1}},{"fieldsV1":"f"},{}]}}`:                         `{"metadata":{"managedFields":[{"fieldsV1":null},{"fieldsV1":{"x":1}},{"fieldsV1":"f"},{}]}}`,
		`{"metadata":{"managedFields":"none"}}`:                                                                               `{"metadata":{"managedFields":"none"}}`,
		`{"metadata":{"managedFields":null}}`:                                                                                 `{"metadata":{"managedFields":null}}`,
	} {
		if diff := cmp.Diff(want, string(withStoredFields([]byte(live)))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
