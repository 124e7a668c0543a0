package causes

import "github.com/ssactl/ssactl/internal/report"

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
