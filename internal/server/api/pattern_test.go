package api

import (
	"strings"
	"testing"
)

// TestHeavyPattern: what people write is not heavy, however long; what reserves gigabytes is.
func TestHeavyPattern(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`: false,
		"^(" + strings.Repeat("(some|thing)-", 200) + ")$": false, strings.Repeat("a", 1<<20): false,
		strings.Repeat("(a|b)*", 50_000): true, strings.Repeat("(a|b)*", 15_000): true, strings.Repeat("((((((((((a))))))))))", 2_000): true,
	} {
		if got := HeavyPattern(text); got != want {
			t.Errorf("%.40q of %d bytes: %v", text, len(text), got)
		}
	}
}
