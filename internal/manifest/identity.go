package manifest

import (
	"encoding/json"

	kjson "sigs.k8s.io/json"
)

// text of a JSON string; anything else reads as empty, so that a document of
// the wrong shape still has the rest of its identity.
type lenient string

// UnmarshalJSON takes strings and ignores everything else.
func (l *lenient) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*l = lenient(s)
	}
	return nil
}

type lenientMeta struct {
	name, namespace, generateName, continued lenient
	managed                                  bool
}

// UnmarshalJSON takes objects and ignores everything else.
func (m *lenientMeta) UnmarshalJSON(b []byte) error {
	var v struct {
		Name          lenient         `json:"name"`
		Namespace     lenient         `json:"namespace"`
		GenerateName  lenient         `json:"generateName"`
		Continue      lenient         `json:"continue"`
		ManagedFields json.RawMessage `json:"managedFields"`
	}
	if kjson.UnmarshalCaseSensitivePreserveInts(b, &v) == nil {
		*m = lenientMeta{v.Name, v.Namespace, v.GenerateName, v.Continue, len(v.ManagedFields) > len("[]")}
	}
	return nil
}

// head is what decides how a document is treated.
type head struct {
	APIVersion lenient         `json:"apiVersion"`
	Kind       lenient         `json:"kind"`
	Metadata   lenientMeta     `json:"metadata"`
	Items      json.RawMessage `json:"items"`
	Type       lenient         `json:"type"`
	Object     json.RawMessage `json:"object"`
	Message    lenient         `json:"message"`
}

func readHead(asJSON []byte) head {
	var h head
	// The text was read once already: what fails here is no object.
	_ = kjson.UnmarshalCaseSensitivePreserveInts(asJSON, &h)
	return h
}

func (h head) identity() Identity {
	return Identity{
		APIVersion:   string(h.APIVersion),
		Kind:         string(h.Kind),
		Namespace:    string(h.Metadata.namespace),
		Name:         string(h.Metadata.name),
		GenerateName: string(h.Metadata.generateName),
	}
}

func identify(asJSON []byte) Identity { return readHead(asJSON).identity() }

// HasManagedFields tells whether the document has a managed fields entry.
func (d Document) HasManagedFields() bool { return readHead(d.JSON()).Metadata.managed }
