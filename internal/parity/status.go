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
		return
	}
	sortSameField(status, causes)
}

// sortSameField orders the causes that stand together and name the same field:
// validation looks at the keys of a map (labels, annotations, data) in random
// order, and reports each at the map. The message tells them in that order too:
//
//	… is invalid: [metadata.labels: Invalid value: "b": …, metadata.labels: Invalid value: "a": …]
func sortSameField(status map[string]any, causes []any) {
	message, _ := status["message"].(string)
	for start := 0; start < len(causes); {
		end := start + 1
		for end < len(causes) && fieldOf(causes[end]) == fieldOf(causes[start]) {
			end++
		}
		same := causes[start:end]
		sort.SliceStable(same, func(i, j int) bool { return compact(same[i]) < compact(same[j]) })
		if len(same) > 1 {
			message = withoutCauses(message, same)
		}
		start = end
	}
	if message != "" {
		status["message"] = message
	}
}

// withoutCauses takes what causes say out of a message that repeats them.
func withoutCauses(message string, causes []any) string {
	for _, cause := range causes {
		fields, _ := cause.(map[string]any)
		if text, _ := fields["message"].(string); text != "" {
			message = strings.ReplaceAll(message, text, "<cause>")
		}
	}
	return message
}

func fieldOf(cause any) any {
	fields, _ := cause.(map[string]any)
	return fields["field"]
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
