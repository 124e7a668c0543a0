package answers

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// entriesOnly reports what an accepted write changes where it changes no field
// and no owner: times, versions and the order of managed fields entries. The
// server writes them where what was asked for is not what it stores, such as a
// null or an empty map. Empty for every other write.
func entriesOnly(r report.Result) string {
	if r.Outcome != report.Configured || r.Deleted || r.Changes == nil || len(r.Changes)+len(r.Transfers) > 0 || r.Live == nil || r.Object == nil {
		return ""
	}
	before, after := managedfields.Of(r.Live).Entries, managedfields.Of(r.Object).Entries
	var parts []string
	at := map[managedfields.Role]int{}
	for i, e := range before {
		at[e.Role] = i
	}
	last, moved := -1, false
	for _, e := range after {
		i, ok := at[e.Role]
		if !ok {
			continue
		}
		moved, last = moved || i < last, i
		if was := before[i]; was.APIVersion != e.APIVersion {
			parts = append(parts, fmt.Sprintf("that of %s is at %s, and was at %s", entryName(e), e.APIVersion, was.APIVersion))
		} else if !sameTime(was, e) {
			parts = append(parts, fmt.Sprintf("that of %s gets another time", entryName(e)))
		}
	}
	if len(after) != len(before) {
		parts = append(parts, fmt.Sprintf("there are %d, and were %d", len(after), len(before)))
	}
	if moved {
		parts = append(parts, "so their order changes")
	}
	if parts == nil {
		parts = []string{"their text changes"}
	}
	return "No field and no owner changes, only managed fields entries: " + strings.Join(parts, "; ")
}

func entryName(e managedfields.Entry) string {
	return words.Writer(report.Writer{Manager: e.Manager, Operation: e.Operation, Subresource: e.Subresource})
}

func sameTime(a, b managedfields.Entry) bool {
	if a.Time == nil || b.Time == nil {
		return a.Time == b.Time
	}
	return a.Time.Equal(*b.Time)
}
