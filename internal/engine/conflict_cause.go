package engine

import (
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// conflictCause is one conflict as the Status tells it.
type conflictCause struct {
	field string
	managedfields.Writer
	time *time.Time
}

// conflictCauses reads the causes that are conflicts of field managers, in
// the order of the Status.
func conflictCauses(st *report.Status) []conflictCause {
	details, _ := st.Raw["details"].(map[string]any)
	list, _ := details["causes"].([]any)
	var out []conflictCause
	for _, v := range list {
		m, _ := v.(map[string]any)
		if m["reason"] != string(metav1.CauseTypeFieldManagerConflict) {
			continue
		}
		message, _ := m["message"].(string)
		c := parseConflict(message)
		c.field, _ = m["field"].(string)
		out = append(out, c)
	}
	return out
}

// parseConflict reads the owner out of a cause's message (apimachinery,
// managedfields/internal/conflict.go, printManager):
//
//	conflict with "m"                                      an Apply entry
//	conflict with "m" with subresource "s" using apps/v1   an Update entry
//	... using apps/v1 at 2024-01-02T03:04:05Z
//
// A message of another form gives an Update without a name.
func parseConflict(message string) conflictCause {
	c := conflictCause{}
	c.Operation = managedfields.Update
	rest, ok := strings.CutPrefix(message, "conflict with ")
	if !ok {
		return c
	}
	c.Manager, rest = quoted(rest)
	if after, ok := strings.CutPrefix(rest, " with subresource "); ok {
		c.Subresource, rest = quoted(after)
	}
	using, ok := strings.CutPrefix(rest, " using ")
	if !ok {
		c.Operation = managedfields.Apply
		return c
	}
	version, at, _ := strings.Cut(using, " at ")
	c.APIVersion = version
	if t, err := time.Parse(time.RFC3339, at); err == nil {
		c.time = &t
	}
	return c
}

// quoted cuts a quoted string off the front of s.
func quoted(s string) (text, rest string) {
	q, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", s
	}
	text, _ = strconv.Unquote(q)
	return text, s[len(q):]
}
