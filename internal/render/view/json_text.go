package view

import (
	"encoding/json"

	"github.com/ssactl/ssactl/internal/report"
)

// maxJSON is how much of a value a message quotes.
const maxJSON = 60

// jsonText is a value in a message: compact JSON, cut; missing is what stands for one
// that is not there.
func jsonText(v report.Value, missing string) string {
	if v.Missing {
		return missing
	}
	b, err := json.Marshal(v.Value)
	if err != nil {
		return "a value"
	}
	if text := []rune(string(b)); len(text) > maxJSON {
		return string(text[:maxJSON]) + "…"
	}
	return string(b)
}
