package render

import (
	"io"

	"github.com/ssactl/ssactl/internal/engine"
)

// YAML writes the resulting objects as kubectl prints them: one as it is,
// several as a v1 List, none as nothing.
func YAML(w io.Writer, report engine.Report, o Options) error {
	v := resulting(report, o)
	if v == nil {
		return nil
	}
	s, err := encodeYAML(v)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s)
	return err
}

// JSON writes the resulting objects as YAML does, indented by four spaces.
func JSON(w io.Writer, report engine.Report, o Options) error {
	v := resulting(report, o)
	if v == nil {
		return nil
	}
	s, err := encodeJSON(v, "    ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s+"\n")
	return err
}

// Name writes the names of the accepted writes, a line each, as kubectl's
// -o name.
func Name(w io.Writer, report engine.Report, _ Options) error {
	for _, r := range report.Results {
		if r.Outcome.Refused() {
			continue
		}
		if _, err := io.WriteString(w, objectName(r.Target)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// resulting is nil, an object, or a List.
func resulting(report engine.Report, o Options) any {
	var items []any
	for _, r := range report.Results {
		if r.Object == nil || r.Outcome.Refused() {
			continue
		}
		object := r.Object
		if !o.ShowManagedFields {
			object = withoutManagedFields(object)
		}
		items = append(items, object)
	}
	switch len(items) {
	case 0:
		return nil
	case 1:
		return items[0]
	}
	return map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]any{}, "items": items}
}
