package schema

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
)

// Fact is what the OpenAPI of a release says of a field and its merge type does not. The
// zero Fact says nothing.
type Fact struct {
	// Type is integer or number; empty where the merge type says it.
	Type string `json:"t,omitempty"`
	// Format is that of a scalar, such as int32 or date-time.
	Format string `json:"f,omitempty"`
	// ListType and MapType are the markers as they are published; empty without one.
	ListType string `json:"l,omitempty"`
	MapType  string `json:"m,omitempty"`
	// Required fields are in every object of the type.
	Required bool `json:"r,omitempty"`
	// PatchKey and PatchStrategy are how strategic merge patches, and with them
	// client-side applies, merge the field.
	PatchKey      string `json:"k,omitempty"`
	PatchStrategy string `json:"s,omitempty"`
}

// Facts are those of one release, by type name and field name; those of the type itself
// have the empty name. Empty facts are left out.
type Facts map[string]map[string]Fact

// Of is the fact of a field of a type.
func (f Facts) Of(typeName, field string) Fact { return f[typeName][field] }

// OpenFacts gives the facts of a minor version, as "1.36".
func OpenFacts(minor string) (Facts, error) {
	raw, err := data.ReadFile("data/" + minor + ".facts.gz")
	if err != nil {
		return nil, fmt.Errorf("no facts of Kubernetes %q", minor)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	var facts Facts
	return facts, json.NewDecoder(unpacked).Decode(&facts)
}
