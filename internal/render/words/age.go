package words

import (
	"fmt"
	"time"
)

// Date is a time as the text format shows it; empty for none.
func Date(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// Age counts from t to now in the largest fitting unit; empty without either,
// and for a time that is still to come.
func Age(t *time.Time, now time.Time) string {
	if t == nil || now.IsZero() || now.Before(*t) {
		return ""
	}
	d := now.Sub(*t)
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	case d < 2*365*24*time.Hour:
		return fmt.Sprintf("%dd", int(d.Hours()/24))
	}
	return fmt.Sprintf("%dy", int(d.Hours()/24/365))
}

// Since is date and age together.
func Since(t *time.Time, now time.Time) string {
	if t == nil {
		return "no time recorded"
	}
	if a := Age(t, now); a != "" {
		return "since " + Date(t) + " (" + a + " ago)"
	}
	return "since " + Date(t)
}
