package api

import (
	"strconv"
	"strings"
)

// What a quantity may have, so that the arithmetic of apimachinery (pkg/api/resource,
// in decimal numbers of any length) is done in an instant. Beyond, it keeps a
// server busy until it gives up, and nobody knows the answer.
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
