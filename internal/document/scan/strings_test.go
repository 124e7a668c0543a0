package scan

import (
	"encoding/json"
	"testing"
)

// TestText: the value of a string is what encoding/json gives.
func TestText(t *testing.T) {
	for _, text := range []string{`""`, `"a"`, `"a\nb\"\/\u00e9"`, `"é"`, `"\ud83d\ude00 \ud83d"`, "\"\xff\"", `"a" `, `"a`, `a`} {
		var want string
		err := json.Unmarshal([]byte(text), &want)
		s := Bytes([]byte(text), 0)
		if got := string(s.Text()); err == nil && (got != want || !s.Done()) || err != nil && (got != "" || s.Err() == nil) {
			t.Errorf("%s: %q, %v, want %q, %v", text, got, s.Err(), want, err)
		}
	}
}
