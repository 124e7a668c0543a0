package api

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Each is the path element of all items of a list, or values of a map.
const Each = "*"

// Field is what a server publishes of a field and does with it, beyond its merge type.
type Field struct {
	// Type is integer or number; empty where the merge type says it.
	Type string
	// Format is that of a scalar, such as int32 or date-time; may be empty.
	Format string
	// Pattern is that of a text of a custom resource; empty for none.
	Pattern string
	// ListType and MapType are the markers as they are published; empty where there
	// is none, and the server takes its default.
	ListType, MapType string
	// Required fields are in every object of the type.
	Required bool
	// PatchKey and PatchStrategy are how strategic merge patches, and with them
	// client-side applies, merge the field.
	PatchKey, PatchStrategy string
	// Default is the value that the server sets where the parent is there and the field is
	// absent; HasDefault distinguishes a default of null from none.
	Default    any
	HasDefault bool
	// Zero says how false, 0 and an empty text, list or map are stored.
	Zero Zero
	// Reset is true where a write to the main resource leaves the field as it is,
	// and owns nothing of it: status, mostly.
	Reset bool
}

// Zero is what a server does with the zero value of a field.
type Zero string

// The ways to store zero values. UnknownZero is not tested.
const (
	UnknownZero Zero = ""
	// KeptZero: it is stored as any other.
	KeptZero Zero = "Kept"
	// DroppedZero: it is not stored, though a managed fields entry may own it.
	DroppedZero Zero = "Dropped"
	// WrittenZero: it is stored even where the write does not ask for it.
	WrittenZero Zero = "Written"
)

// Fields is a Server that reports what it publishes.
type Fields interface {
	// Kinds are those that are served, by group, version and kind.
	Kinds() []schema.GroupVersionKind
	// ResetsField reports whether a write to the main resource leaves a field of the
	// object as it is, and owns nothing of it.
	ResetsField(kind schema.GroupVersionKind, name string) bool
	// Fields gives what is known of a kind's fields.
	Fields(schema.GroupVersionKind) (KindFields, error)
}

// KindFields reports the fields of one kind. A path is names of fields, with Each
// for items and values; the empty path is the object.
type KindFields interface {
	Field(path []string) Field
}

// Storing is a Server that gives an object as it would be stored once it was decoded
// and defaults were filled in, before admission and validation. It is false for
// kinds for which that is not known, and for what cannot be decoded.
type Storing interface {
	Stored(kind schema.GroupVersionKind, object map[string]any) (map[string]any, bool)
}

// The limits within which the arithmetic of apimachinery (pkg/api/resource) is instant.
// Beyond them a server computes until it gives up.
const (
	maxExponent = 1_000_000
	// MaxDigits is how many characters come before the exponent.
	MaxDigits = 50_000
)

// EndlessQuantity reports whether parsing a text as a quantity would take unbounded
// time. It parses no more of the text than that takes to decide.
func EndlessQuantity(text string) bool {
	number, exponent := text, ""
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		number, exponent = text[:at], text[at+1:]
	}
	// As there, what does not fit is cut to 32 bits.
	n, err := strconv.ParseInt(exponent, 10, 64)
	power := int64(int32(n))
	return len(number) > MaxDigits || err == nil && (power < -maxExponent || power > maxExponent)
}
