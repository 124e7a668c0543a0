package render

import (
	"fmt"
	"time"
)

// date is a time as the text format shows it; empty for none.
func date(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// age counts from t to now in the largest fitting unit; empty without either,
// and for a time that is still to come.
func age(t *time.Time, now time.Time) string {
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

// since is date and age together.
func since(t *time.Time, now time.Time) string {
	if t == nil {
		return "no time recorded"
	}
	if a := age(t, now); a != "" {
		return "since " + date(t) + " (" + a + " ago)"
	}
	return "since " + date(t)
}
