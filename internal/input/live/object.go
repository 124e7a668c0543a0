package live

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/packed"
)

// Key identifies an object whatever its API version.
type Key struct {
	Group, Kind, Namespace, Name string
}

// String is the kind with its group, then namespace and name:
// "Deployment.apps default/web".
func (k Key) String() string {
	kind, name := k.Kind, k.Name
	if k.Group != "" {
		kind += "." + k.Group
	}
	if k.Namespace != "" {
		name = k.Namespace + "/" + name
	}
	return kind + " " + name
}

// KeyOf is the key of an identity as it is written. Callers that know which
// kinds have a namespace wrap it.
func KeyOf(id manifest.Identity) Key {
	return Key{Group: id.Group(), Kind: id.Kind, Namespace: id.Namespace, Name: id.Name}
}

// Object is one live object.
type Object struct {
	manifest.Document
	Key Key
	// ManagedFields reports whether the object came with managed fields
	// entries.
	ManagedFields bool
	packed        packed.JSON // what the document held, when it holds nothing
	number        int         // its place in the input, from 1
}

// JSON is the object as JSON. It must not be changed.
func (o *Object) JSON() []byte {
	if o.packed.Empty() {
		return o.Document.JSON()
	}
	return o.packed.Text()
}

// Decode gives the object as the API server decodes JSON: integers that fit
// are int64, other numbers float64. Every call gives a new map.
func (o *Object) Decode() (map[string]any, error) {
	object, err := jsontree.Decode(o.JSON())
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", o.Source, err)
	}
	return object, nil
}

// Metadata decodes only the metadata of an object.
func (o *Object) Metadata() (map[string]any, error) {
	if parts, ok := jsontree.Texts(o.JSON(), "metadata"); ok && len(parts) == 1 {
		if metadata, err := jsontree.Decode(parts[0]); err == nil {
			return map[string]any{"metadata": metadata}, nil
		}
	}
	return o.Decode()
}

// DuplicateError says that two live objects have one identity.
type DuplicateError struct {
	Key           Key
	First, Second manifest.Source
}

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("two live objects are %s: one at %s, one at %s", e.Key, e.First, e.Second)
}

// sameState reports whether two objects are one, at one resourceVersion: they differ in
// nothing but their API version, and what that spells otherwise, or in that only one of them
// has its managed fields entries.
func sameState(one, other map[string]any) bool {
	metadata, others := metadataOf(one), metadataOf(other)
	for _, name := range []string{"uid", "resourceVersion"} {
		if text, _ := metadata[name].(string); text == "" || others[name] != text {
			return false
		}
	}
	sameVersion := one["apiVersion"] == other["apiVersion"]
	entries, more := metadata[managedFields], others[managedFields]
	if sameVersion && entries != nil && more != nil && !reflect.DeepEqual(entries, more) {
		return false
	}
	delete(metadata, managedFields)
	delete(others, managedFields)
	if !reflect.DeepEqual(metadata, others) {
		return false
	}
	one, other = maps.Clone(one), maps.Clone(other)
	delete(one, "metadata")
	delete(other, "metadata")
	return !sameVersion || reflect.DeepEqual(one, other)
}

const managedFields = "managedFields"

// metadataOf is a copy of the metadata of an object.
func metadataOf(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	return maps.Clone(metadata)
}

// maxStored is the most that kube-apiserver sends to etcd (the 2 MiB of etcd's client,
// client/v3/options.go), which takes 1.5 MiB by default.
const maxStored = 2 << 20

// entriesBytes is how much of an object its managed fields entries are: storage has the
// names and fieldsV1 of each as they are, whatever the form of the rest.
func entriesBytes(d manifest.Document) int {
	if d.Deferred() || len(d.JSON()) <= maxStored {
		return 0
	}
	var object struct {
		Metadata struct {
			ManagedFields []struct {
				Manager, Operation, APIVersion, Subresource string
				FieldsV1                                    json.RawMessage
			}
		}
	}
	// Reading the entries reports other forms.
	_ = json.Unmarshal(d.JSON(), &object)
	sum := 0
	for _, e := range object.Metadata.ManagedFields {
		sum += len(
			e.Manager,
		) + len(
			e.Operation,
		) + len(
			e.APIVersion,
		) + len(
			e.Subresource,
		) + len(
			jsontree.AppendCompact(nil, e.FieldsV1),
		)
	}
	return sum
}
