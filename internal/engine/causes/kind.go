package causes

import (
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// Kind is what a cause of a refusal is about.
type Kind string

// The kinds of cause.
const (
	// Unknown: the type has no such field.
	Unknown Kind = "Unknown"
	// Mistyped: the value is of another type.
	Mistyped Kind = "Mistyped"
	// Repeated: two items of a list have the same keys, or are the same value.
	Repeated Kind = "Repeated"
	// Keyless: an item lacks a key of its list, or cannot have one.
	Keyless Kind = "Keyless"
	// TwiceWritten: a key of a map stands twice in the text.
	TwiceWritten Kind = "TwiceWritten"
	// Invalid is anything else.
	Invalid Kind = "Invalid"
)

// KindOf reads what a cause is about out of its message.
func KindOf(c report.Cause) Kind {
	m := c.Message
	switch {
	case m == notDeclared || m == unknownField:
		return Unknown
	case strings.HasPrefix(m, repeatedItem):
		return Repeated
	case strings.HasPrefix(m, ofElement):
		return Keyless
	case m == repeatField || strings.HasSuffix(m, repeatedKey):
		return TwiceWritten
	case strings.HasPrefix(m, expectedType) && strings.Contains(m, gotValue):
		return Mistyped
	}
	return Invalid
}
