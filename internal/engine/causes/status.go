package causes

import (
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// statusCauses are those that the Status lists, each once: upstream repeats some
// for each version that it validates.
func statusCauses(st *report.Status) []report.Cause {
	details, _ := st.Raw["details"].(map[string]any)
	list, _ := details["causes"].([]any)
	var out []report.Cause
	seen := map[[2]string]bool{}
	for _, item := range list {
		m, _ := item.(map[string]any)
		field, _ := m["field"].(string)
		message, _ := m["message"].(string)
		if field == noField {
			field = ""
		}
		if key := [2]string{field, message}; !seen[key] {
			seen[key] = true
			out = append(out, report.Cause{Field: field, Message: message})
		}
	}
	return out
}

// Conflict is one conflict as the Status has it: the field, and the managed fields
// entry that owns it.
type Conflict struct {
	Field string
	managedfields.Writer
	// Time is nil where the entry has none.
	Time *time.Time
}

// Conflicts reads the causes that are conflicts of field managers, in
// the order of the Status.
func Conflicts(st *report.Status) []Conflict {
	details, _ := st.Raw["details"].(map[string]any)
	list, _ := details["causes"].([]any)
	var out []Conflict
	for _, v := range list {
		m, _ := v.(map[string]any)
		if m["reason"] != string(metav1.CauseTypeFieldManagerConflict) {
			continue
		}
		message, _ := m["message"].(string)
		c := parseConflict(message)
		c.Field, _ = m["field"].(string)
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
func parseConflict(message string) Conflict {
	c := Conflict{}
	c.Operation = managedfields.Update
	rest, ok := strings.CutPrefix(message, conflictWith)
	if !ok {
		return c
	}
	c.Manager, rest = quoted(rest)
	if after, ok := strings.CutPrefix(rest, subresource); ok {
		c.Subresource, rest = quoted(after)
	}
	entry, ok := strings.CutPrefix(rest, using)
	if !ok {
		c.Operation = managedfields.Apply
		return c
	}
	version, written, _ := strings.Cut(entry, at)
	c.APIVersion = version
	if t, err := time.Parse(time.RFC3339, written); err == nil {
		c.Time = &t
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
