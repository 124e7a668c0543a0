package faithful

import (
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/server/api"
)

// TestMayBeHuge: whatever stands before a number, so that it is at any place, and
// whatever follows it, it is found; and what is none is not.
func TestMayBeHuge(t *testing.T) {
	huge := []string{
		"1e9999999", "1E+9999999", "1.e-9999999", ".e1234567", "7e00000001", `\u0065`, `\x65`, `\u002e`, `\uzzzz`, `\U00000065`, `\\\u0065`,
		strings.Repeat("9", api.MaxDigits/2+1),
	}
	fine := []string{
		"", "1e999999", "e9999999", "1e+-9999999", "1e9999999"[:8], "1 e9999999", "a-9999999", "20260102030405060708", `\n`, `\u003c`, `\\\u0026`, `\x3c`, `\U0001f600`,
		strings.Repeat("9", api.MaxDigits/2), "1e99.9999999", "0x1e", "1e999999e9", "1e123456 1234567",
	}
	for _, after := range []string{"", " ", "x", strings.Repeat("a1", 20)} {
		for shift := range 2 * longRun {
			before := strings.Repeat(" ", shift)
			for _, text := range huge {
				if !mayBeHuge([]byte(before + text + after)) {
					t.Errorf("not found: %.60q", before+text+after)
				}
			}
			for _, text := range fine {
				if mayBeHuge([]byte(before + text + after)) {
					t.Errorf("found: %.60q", before+text+after)
				}
			}
		}
	}
}

func mayBeHuge(text []byte) bool { return hidesNumbers(text) || hasHugeNumber(text) }
