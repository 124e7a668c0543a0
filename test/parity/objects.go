package parity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// crdKind is the kind that decides how other steps are served.
const crdKind = "CustomResourceDefinition"

// CRDsAt gives the CustomResourceDefinitions that count for the step of index
// i, sorted by name: those that were installed, each replaced by its latest
// LiveAfter in the steps before i (a story may change its CRD on the way), less
// those that a step before deleted.
func (s Scenario) CRDsAt(i int) []json.RawMessage {
	byName := map[string]json.RawMessage{}
	for _, crd := range s.CRDs {
		byName[objectName(crd)] = crd
	}
	for _, step := range s.Steps[:min(i, len(s.Steps))] {
		if step.Target.Kind != crdKind {
			continue
		}
		if IsNull(step.LiveAfter) {
			delete(byName, step.Target.Name)
			continue
		}
		byName[step.Target.Name] = step.LiveAfter
	}
	return sortedValues(byName)
}

// ObjectsAt gives the objects that were in the cluster before the step of
// index i and that an earlier step wrote, other than the step's own target and
// CustomResourceDefinitions: what admission may look up, as PriorityClasses.
// Where a Namespace is among them, so is the scenario's own, which was made before
// the first step: some alone would say that the others are not there. They are
// sorted by kind, namespace and name.
func (s Scenario) ObjectsAt(i int) []json.RawMessage {
	byName := map[string]json.RawMessage{}
	for _, step := range s.Steps[:min(i, len(s.Steps))] {
		key := step.Target.key()
		if IsNull(step.LiveAfter) {
			delete(byName, key)
			continue
		}
		byName[key] = step.LiveAfter
		for _, object := range step.Beside {
			byName[TargetOf(object).key()] = object
		}
	}
	own := Target{APIVersion: "v1", Kind: "Namespace", Name: s.Namespace}
	if _, written := byName[own.key()]; !written && s.Namespace != "" && hasNamespace(byName) {
		byName[own.key()] = plainNamespace(s.Namespace)
	}
	if i < len(s.Steps) {
		delete(byName, s.Steps[i].Target.key())
	}
	for key, object := range byName {
		var meta Target
		if json.Unmarshal(object, &meta) == nil && meta.Kind == crdKind {
			delete(byName, key)
		}
	}
	return sortedValues(byName)
}

func hasNamespace(byName map[string]json.RawMessage) bool {
	prefix := Target{APIVersion: "v1", Kind: "Namespace"}.key()
	for key := range byName {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// plainNamespace is a Namespace as a server stores it for its name alone.
func plainNamespace(name string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(
		`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q,"labels":{"kubernetes.io/metadata.name":%q}},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}}`,
		name,
		name,
	))
}

// TargetOf is the target of writes to an object.
func TargetOf(object json.RawMessage) Target {
	var meta struct {
		APIVersion, Kind string
		Metadata         struct{ Namespace, Name string }
	}
	// What is no object is no target.
	_ = json.Unmarshal(object, &meta)
	return Target{
		APIVersion: meta.APIVersion,
		Kind:       meta.Kind,
		Namespace:  meta.Metadata.Namespace,
		Name:       meta.Metadata.Name,
	}
}

// IsNull reports whether a recorded object is absent.
func IsNull(object json.RawMessage) bool {
	trimmed := bytes.TrimSpace(object)
	return len(trimmed) == 0 || bytes.Equal(trimmed, []byte("null"))
}

// key names an object, which is the same at each of its API versions.
func (t Target) key() string {
	group, _, found := strings.Cut(t.APIVersion, "/")
	if !found {
		group = ""
	}
	return group + "\x00" + t.Kind + "\x00" + t.Namespace + "\x00" + t.Name
}

func objectName(object json.RawMessage) string {
	var meta struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	// What is not an object has no name.
	_ = json.Unmarshal(object, &meta)
	return meta.Metadata.Name
}

func sortedValues(byName map[string]json.RawMessage) []json.RawMessage {
	names := make([]string, 0, len(byName))
	for name := range byName {
		names = append(names, name)
	}
	sort.Strings(names)
	values := make([]json.RawMessage, 0, len(names))
	for _, name := range names {
		values = append(values, byName[name])
	}
	return values
}
