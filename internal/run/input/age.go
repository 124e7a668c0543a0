package input

import (
	"fmt"
	"strconv"
	"time"
)

// ageUnits are those that people count ages in, beside Go's.
var ageUnits = map[byte]time.Duration{
	'd': 24 * time.Hour,
	'w': 7 * 24 * time.Hour,
	'y': 365 * 24 * time.Hour,
}

// ParseAge reads an age: days, weeks or years (180d, 26w, 2y), or a duration
// as Go writes it (36h).
func ParseAge(text string) (time.Duration, error) {
	if n := len(text) - 1; n > 0 {
		if unit, ok := ageUnits[text[n]]; ok {
			count, err := strconv.ParseUint(text[:n], 10, 16)
			if age := time.Duration(count) * unit; err == nil && age > 0 && age/unit == time.Duration(count) {
				return age, nil
			}
		}
	}
	age, err := time.ParseDuration(text)
	if err != nil || age <= 0 {
		return 0, fmt.Errorf("%q is no age, such as 180d, 2y or 36h", text)
	}
	return age, nil
}
