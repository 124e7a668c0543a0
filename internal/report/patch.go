package report

import (
	"bytes"
	"encoding/json"
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
