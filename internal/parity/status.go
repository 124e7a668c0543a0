package parity

import (
	"sort"
	"strings"
)

// normalizeStatus orders what a Status tells in random order, and takes out the
// uid of a deleted object.
func (d *differ) normalizeStatus(status map[string]any) {
	if message, ok := status["message"].(string); ok {
		status["message"] = d.known.withoutMade(sortMessage(message))
	}
	details, ok := status["details"].(map[string]any)
	if !ok {
		return
	}
	delete(details, "uid")
	causes, _ := details["causes"].([]any)
	for _, cause := range causes {
		if cause, ok := cause.(map[string]any); ok {
			if message, ok := cause["message"].(string); ok {
				cause["message"] = d.known.withoutMade(message)
			}
		}
	}
	if isConflict(status) {
		sort.Slice(causes, func(i, j int) bool { return compact(causes[i]) < compact(causes[j]) })
	}
}

// isConflict tells whether a Status reports field conflicts: only then the
// order of the causes is random.
func isConflict(status map[string]any) bool {
	message, _ := status["message"].(string)
	return strings.HasPrefix(message, conflictStart)
}

const (
	conflictStart = "Apply failed with "
	groupStart    = "conflicts with "
	typedStart    = "failed to create typed patch object"
	unknownField  = "field not declared in schema"
)

// sortMessage orders the lines that the server tells in random order.
func sortMessage(message string) string {
	switch {
	case strings.HasPrefix(message, conflictStart):
		return sortConflicts(message)
	case strings.HasPrefix(message, typedStart):
		lines := strings.Split(message, "\n")
		sort.Strings(lines[1:])
		return strings.Join(lines, "\n")
	}
	return message
}

// sortConflicts sorts the managers of a conflict message, and the fields of
// each:
//
//	Apply failed with 3 conflicts: conflicts with "a" using v1:
//	- .data.x
//	- .data.y
//	conflicts with "b" using v1:
//	- .data.x
func sortConflicts(message string) string {
	first := strings.Index(message, groupStart)
	if first < 0 {
		return message
	}
	var groups []string
	for _, group := range strings.Split(message[first:], "\n"+groupStart) {
		lines := strings.Split(strings.TrimPrefix(group, groupStart), "\n")
		sort.Strings(lines[1:])
		groups = append(groups, groupStart+strings.Join(lines, "\n"))
	}
	sort.Strings(groups)
	return message[:first] + strings.Join(groups, "\n")
}

// sameUnknownFields replaces the messages of two Statuses that differ only in
// which of several unknown fields they tell: the server stops at a random
// number of them. Everything else that they tell must be the same.
func (d *differ) sameUnknownFields(want, got any) {
	wantStatus, _ := want.(map[string]any)
	gotStatus, _ := got.(map[string]any)
	wantMessage, _ := wantStatus["message"].(string)
	gotMessage, _ := gotStatus["message"].(string)
	wantRest, inWant := cutUnknownFields(wantMessage)
	gotRest, inGot := cutUnknownFields(gotMessage)
	if inWant && inGot && wantRest == gotRest {
		wantStatus["message"], gotStatus["message"] = wantRest, gotRest
	}
}

// cutUnknownFields gives a message without what it tells of unknown fields, and
// whether it tells of any. One error stands on the line of the object, several
// below it:
//
//	failed to create typed patch object (ns/a; apps/v1, Kind=Deployment): .spec.x: field not declared in schema
//	failed to create typed patch object (ns/a; apps/v1, Kind=Deployment): errors:
//	  .spec.x: field not declared in schema
//	  .spec.y: field not declared in schema
func cutUnknownFields(message string) (string, bool) {
	if !strings.HasPrefix(message, typedStart) || !strings.Contains(message, unknownField) {
		return message, false
	}
	lines := strings.Split(message, "\n")
	head, rest, _ := strings.Cut(lines[0], "): ")
	kept := []string{head + "):"}
	if rest != "errors:" && !strings.HasSuffix(rest, unknownField) {
		kept = append(kept, "  "+rest)
	}
	for _, line := range lines[1:] {
		if !strings.HasSuffix(line, unknownField) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n"), true
}
