package report

import (
	"bytes"
	"encoding/json"
	"fmt"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// PatchOperation is one operation of a JSON patch (RFC 6902). Removals have no value.
type PatchOperation struct {
	Op    string `json:"op" secret:"public"`
	Path  string `json:"path" secret:"pointer"`
	Value any    `json:"value,omitempty"`
}

// MarshalJSON leaves the value out of a removal only: elsewhere nil is null. The outer
// encoder escapes HTML where it should.
func (o PatchOperation) MarshalJSON() ([]byte, error) {
	m := map[string]any{"op": o.Op, "path": o.Path}
	if o.Op != "remove" {
		m["value"] = o.Value
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(m)
	return b.Bytes(), err
}

// TestEntry tests a text of a managed fields entry, such as its manager.
func TestEntry(e managedfields.Entry, key, value string) PatchOperation {
	return PatchOperation{Op: "test", Path: entryPointer(e) + "/" + key, Value: value}
}

// ReplaceInEntry replaces a text of a managed fields entry.
func ReplaceInEntry(e managedfields.Entry, key, value string) PatchOperation {
	return PatchOperation{Op: "replace", Path: entryPointer(e) + "/" + key, Value: value}
}

// ReplaceFields replaces the fields that a managed fields entry owns.
func ReplaceFields(e managedfields.Entry, set *fieldpath.Set) (PatchOperation, error) {
	fields, err := managedfields.ToFields(set)
	if err != nil {
		return PatchOperation{}, fmt.Errorf("encode managed fields entry of %q: %w", e.Manager, err)
	}
	return PatchOperation{Op: "replace", Path: entryPointer(e) + "/fieldsV1", Value: fields}, nil
}

// RemoveEntry removes a managed fields entry.
func RemoveEntry(e managedfields.Entry) PatchOperation {
	return PatchOperation{Op: "remove", Path: entryPointer(e)}
}

func entryPointer(e managedfields.Entry) string {
	return fmt.Sprintf("/metadata/managedFields/%d", e.Index)
}
