package managedfields

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// The operations of a managed fields entry.
const (
	Apply  = "Apply"
	Update = "Update"
)

// BeforeFirstApply is the manager that the server synthesizes for the fields of a live
// object without managed fields entries, at the first apply (apimachinery,
// managedfields/internal/skipnonapplied.go).
const BeforeFirstApply = "before-first-apply"

// Role is one field manager under one operation and subresource. Entries of
// one role at several API versions belong to the same writer.
type Role struct {
	Manager     string
	Operation   string
	Subresource string
}

// Compare orders roles by manager, operation, subresource.
func (r Role) Compare(s Role) int {
	return cmp.Or(
		cmp.Compare(r.Manager, s.Manager),
		cmp.Compare(r.Operation, s.Operation),
		cmp.Compare(r.Subresource, s.Subresource),
	)
}

// Writer is the identity of a managed fields entry.
type Writer struct {
	Role
	APIVersion string
}

// Compare orders writers by role, then API version.
func (w Writer) Compare(v Writer) int {
	return cmp.Or(w.Role.Compare(v.Role), cmp.Compare(w.APIVersion, v.APIVersion))
}

// Entry is one managed fields entry.
type Entry struct {
	Writer
	// Time is when the entry was last written; nil when it has none.
	Time *time.Time
	// Set holds the owned paths, in the terms of APIVersion. It is never nil,
	// and empty for an entry with Err.
	Set *fieldpath.Set
	// Err reports why the entry cannot be read; nil for a good one. What could
	// be read of the identity is there.
	Err error
	// Index counts from 0 in metadata.managedFields.
	Index int
}

// Encode gives the entry as it stands in metadata.managedFields.
func (e Entry) Encode() (map[string]any, error) {
	fields, err := ToFields(e.Set)
	if err != nil {
		return nil, fmt.Errorf("encode managed fields entry of %q: %w", e.Manager, err)
	}
	out := map[string]any{
		"manager":    e.Manager,
		"operation":  e.Operation,
		"apiVersion": e.APIVersion,
		"fieldsType": "FieldsV1",
		"fieldsV1":   fields,
	}
	if e.Subresource != "" {
		out["subresource"] = e.Subresource
	}
	if e.Time != nil {
		out["time"] = e.Time.UTC().Format(time.RFC3339)
	}
	return out, nil
}

// decode reads one element of metadata.managedFields. An entry without Err is one that the
// server reads too (apimachinery, managedfields/internal/managedfields.go,
// DecodeManagedFields).
func decode(index int, v any, setOf func(by Writer, fields any) (*fieldpath.Set, error)) Entry {
	e := Entry{Set: fieldpath.NewSet(), Index: index}
	m, ok := v.(map[string]any)
	if !ok {
		e.Err = errors.New("not an object")
		return e
	}
	r := reader{from: m}
	e.Manager = r.text("manager")
	e.Operation = r.text("operation")
	e.Subresource = r.text("subresource")
	e.APIVersion = r.text("apiVersion")
	e.Time = r.time("time")
	fieldsType := r.text("fieldsType")
	switch {
	case r.err != nil:
		e.Err = r.err
	case e.Operation != Apply && e.Operation != Update:
		e.Err = fmt.Errorf("operation is %q, not Apply or Update", e.Operation)
	case e.APIVersion == "":
		e.Err = errors.New("apiVersion is empty")
	case fieldsType != "FieldsV1":
		e.Err = fmt.Errorf("fieldsType is %q, not FieldsV1", fieldsType)
	default:
		set, err := setOf(e.Writer, m["fieldsV1"])
		if err != nil {
			e.Err = fmt.Errorf("fieldsV1: %w", err)
			return e
		}
		e.Set = set
	}
	return e
}

// reader takes typed values out of an entry and keeps the first error.
type reader struct {
	from map[string]any
	err  error
}

func (r *reader) text(key string) string {
	v, present := r.from[key]
	s, ok := v.(string)
	if present && v != nil && !ok && r.err == nil {
		r.err = fmt.Errorf("%s is not a string", key)
	}
	return s
}

func (r *reader) time(key string) *time.Time {
	s := r.text(key)
	if s == "" {
		return nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		if r.err == nil {
			r.err = fmt.Errorf("%s %q is not an RFC 3339 time", key, s)
		}
		return nil
	}
	t = t.UTC()
	return &t
}
