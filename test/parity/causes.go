package parity

import (
	"sort"
	"strings"
)

// sortSameCauses orders the causes of an invalid object that are reported in random
// order: validation by the schema of a custom resource ranges over the fields
// of each map, and that of built-in kinds over the keys of labels, annotations
// and data, which it reports at the map. The message tells them in the same
// order:
//
//	… is invalid: [metadata.labels: Invalid value: "b": …, metadata.labels: Invalid value: "a": …]
func (d *differ) sortSameCauses(status map[string]any, causes []any) {
	for start := 0; start < len(causes); {
		end := start + 1
		for end < len(causes) && (isCustom(d.step.Target) || fieldOf(causes[end]) == fieldOf(causes[start])) {
			end++
		}
		if same := causes[start:end]; len(same) > 1 {
			sortCauses(same)
			withoutCauses(status, same)
		}
		start = end
	}
}

func sortCauses(causes []any) {
	sort.SliceStable(causes, func(i, j int) bool { return compact(causes[i]) < compact(causes[j]) })
}

// withoutCauses takes what causes say out of the message that repeats them.
func withoutCauses(status map[string]any, causes []any) {
	message, _ := status["message"].(string)
	for _, cause := range causes {
		fields, _ := cause.(map[string]any)
		field, _ := fields["field"].(string)
		if text, _ := fields["message"].(string); text != "" {
			message = strings.ReplaceAll(message, field+": "+text, "<cause>")
		}
	}
	if message != "" {
		status["message"] = message
	}
}

func fieldOf(cause any) any {
	fields, _ := cause.(map[string]any)
	return fields["field"]
}
