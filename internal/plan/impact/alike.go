package impact

import (
	"crypto/sha256"
	"encoding/json"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
)

// Likeness finds the objects of a kind that have the same fate, so that one of them
// can be asked about for all. Objects are alike where they agree
//
//   - in the values of the fields whose schemas differ, between the definitions or
//     between versions, and in which other fields there are beside those,
//   - in who owns what of these fields, by which operation and at which version,
//
// and the old definition accepts them: what they do not agree in passes on both sides
// then, which treat it alike, and what both sides do is no impact.
//
// Nil finds no two objects alike.
type Likeness struct{ about *about }

// LikenessOf is that of a kind; nil where each object has to be asked about: of
// built-in kinds, and where the definitions differ as a whole.
func LikenessOf(k Kind) *Likeness {
	if k.Old == nil || k.New == nil {
		return nil
	}
	var schemas []any
	for _, d := range []*Definition{k.Old, k.New} {
		if fieldtree.Value(d.Object, "spec", "preserveUnknownFields") == true {
			return nil
		}
		for _, v := range d.list() {
			schemas = append(schemas, fieldtree.Value(v, "schema", "openAPIV3Schema"))
		}
	}
	root, _ := aboutOf(schemas)
	if root.whole || root.fields["metadata"] != nil {
		return nil
	}
	return &Likeness{root}
}

// Mark is the same for objects that are alike; the zero Mark is that of an object
// which is like no other.
type Mark [sha256.Size]byte

// MarkOf marks an object that the old definition accepts.
func (l *Likeness) MarkOf(live map[string]any) Mark {
	metadata := asMap(live["metadata"])
	entries, listed := metadata["managedFields"].([]any)
	if l == nil || !listed && metadata["managedFields"] != nil || metadata["deletionTimestamp"] != nil || appliedTwice(live) {
		return Mark{}
	}
	fields := map[string]any{}
	for key, v := range live {
		if key != "metadata" {
			fields[key] = v
		}
	}
	said := []any{fields["apiVersion"], l.about.of(fields)}
	for _, key := range []string{"namespace", "uid", "resourceVersion"} {
		said = append(said, metadata[key] != nil)
	}
	for _, v := range entries {
		e, ok := v.(map[string]any)
		if !ok {
			return Mark{}
		}
		said = append(said, e["manager"], e["operation"], e["apiVersion"], e["subresource"], e["fieldsType"], l.about.owned(e["fieldsV1"]))
	}
	text, err := json.Marshal(said)
	if err != nil {
		return Mark{}
	}
	return sha256.Sum256(text)
}

// appliedTwice reports whether the server takes what kubectl applied last from the
// annotation, and not from managed fields alone.
func appliedTwice(live map[string]any) bool {
	for _, e := range managedfields.Of(live).Entries {
		if e.Manager == "kubectl" && e.Operation == managedfields.Apply {
			return true
		}
	}
	return false
}

// masked stands for what is not compared.
const masked = true

// of is what is compared of a value.
func (a *about) of(v any) any {
	switch {
	case a == nil && v == nil:
		return nil
	case a == nil:
		return masked
	case a.whole:
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[key] = a.field(key).of(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = a.item().of(item)
		}
		return out
	}
	return v
}

// owned is what is compared of an entry's fields.
func (a *about) owned(fields any) any {
	m, ok := fields.(map[string]any)
	switch {
	case a == nil:
		return masked
	case a.whole || !ok:
		return fields
	}
	out := make(map[string]any, len(m))
	for key, below := range m {
		switch name, named := strings.CutPrefix(key, "f:"); {
		case key == ".":
			out[key] = masked
		case named:
			out[key] = a.field(name).owned(below)
		default:
			out[key] = a.item().owned(below)
		}
	}
	return out
}
