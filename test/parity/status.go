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
		sortCauses(causes)
		return
	}
	d.sortSameCauses(status, causes)
}

// isConflict reports whether a Status reports field conflicts: only then the
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
	return sortLimits(message)
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

// sameUnknownFields makes the messages of two Statuses the same when both tell
// of an unknown field of the same object. The server looks at the fields of a
// map in random order and stops at the first that is not declared, so that what
// else it tells of the map, unknown or of a wrong type, is chance:
//
//	failed to create typed patch object (ns/a; apps/v1, Kind=Deployment): .spec.x: field not declared in schema
//	failed to create typed patch object (ns/a; apps/v1, Kind=Deployment): errors:
//	  .spec.x: field not declared in schema
//	  .spec.replicas: expected numeric (int or float), got &{a}
func sameUnknownFields(want, got any) {
	wantStatus, _ := want.(map[string]any)
	gotStatus, _ := got.(map[string]any)
	wantObject, inWant := objectWithUnknownField(wantStatus)
	gotObject, inGot := objectWithUnknownField(gotStatus)
	if inWant && inGot && wantObject == gotObject {
		wantStatus["message"], gotStatus["message"] = wantObject, gotObject
	}
}

// objectWithUnknownField gives the part of a Status message that names the
// object, and whether the message tells of an unknown field.
func objectWithUnknownField(status map[string]any) (string, bool) {
	message, _ := status["message"].(string)
	if !strings.HasPrefix(message, typedStart) || !strings.Contains(message, unknownField) {
		return "", false
	}
	object, _, found := strings.Cut(message, "): ")
	return object, found
}
