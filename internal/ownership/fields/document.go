// Package fields reports what Server-Side Apply does with the fields of a kind: how
// lists and maps merge and by which marker, what the server fills in and stores, who
// writes a field without being asked.
//
//	document.go  the answer
//	walk.go      from the merge type to fields
//	find.go      a field by the path that people type
package fields

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
)

// DocumentKind is that of the document.
const DocumentKind = "FieldSchema"

// Document is what is known of a field, or of a whole kind.
type Document struct {
	report.Head
	// Of is the kind that was asked about, and Custom tells those of
	// CustomResourceDefinitions.
	Of     Kind `json:"of"`
	Custom bool `json:"custom,omitempty"`
	// Others are kinds that what was typed may mean as well.
	Others []Kind `json:"others,omitempty"`
	// Field is the field that was asked about; with an empty path the object.
	Field Field `json:"field"`
}

// Kind is a kind at a version.
type Kind struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

// Merge is how writes of several field managers to a field come together.
type Merge string

// The ways to merge.
const (
	// Scalar is one value.
	Scalar Merge = "Scalar"
	// Granular is a map whose keys, or an object whose fields, are owned one by one.
	Granular Merge = "Granular"
	// Keyed is a list whose items are owned one by one, by their keys.
	Keyed Merge = "Keyed"
	// Set is a list whose values are owned one by one.
	Set Merge = "Set"
	// Atomic is a list, map or object that is owned and replaced as a whole.
	Atomic Merge = "Atomic"
)

// Field is one field.
type Field struct {
	// Field is the path from the object, with [*] for items and values.
	Field string `json:"field"`
	// Type is string, integer, number, boolean, object, map, list, or any; or what
	// the server makes of a text: quantity, duration, time, int-or-string.
	Type string `json:"type"`
	// Of is the type of items or values; empty for others.
	Of     string `json:"of,omitempty"`
	Format string `json:"format,omitempty"`
	Merge  Merge  `json:"merge"`
	// Marker is what decides on Merge, as it is published; empty where none is, and
	// the default of the server holds.
	Marker string `json:"marker,omitempty"`
	// Keys identify the items of a keyed list.
	Keys []Key `json:"keys,omitempty"`
	// Inside is the nearest atomic field that this one is part of; empty for none.
	Inside   string `json:"inside,omitempty"`
	Required bool   `json:"required,omitempty"`
	// Default is what the server fills in; nil for nothing.
	Default *any `json:"default,omitempty"`
	// Zero is what the server does with the zero value: Kept, Dropped or Written.
	Zero string `json:"zero,omitempty"`
	// Reset fields are left as they are by writes to the main resource.
	Reset bool `json:"reset,omitempty"`
	// PatchKey is by what client-side applies know the items.
	PatchKey string `json:"patchKey,omitempty"`
	// Writers write the field in a default cluster.
	Writers []writers.Writer `json:"writers,omitempty"`
	// Fields are those below, sorted by name. Cut is how many there are where no more
	// were asked for, and Recursive is true where the type is in itself.
	Fields    []Field `json:"fields,omitempty"`
	Cut       int     `json:"cut,omitempty"`
	Recursive bool    `json:"recursive,omitempty"`
}

// Key is one of the keys of a list.
type Key struct {
	Name     string `json:"name"`
	Default  *any   `json:"default,omitempty"`
	Required bool   `json:"required,omitempty"`
}

// Name is the last part of the path; empty for the object.
func (f Field) Name() string { return f.Field[strings.LastIndexByte(f.Field, '.')+1:] }

// JSON is a value of a schema as text.
func JSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
