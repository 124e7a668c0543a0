package render

import (
	"io"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/blame"
)

// OwnersJSON writes the document of what the filter asks for.
func OwnersJSON(w io.Writer, objects []*blame.Object, problems []blame.Problem, f blame.Filter) error {
	s, err := encodeJSON(ownersDocument(objects, problems, f), "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s+"\n")
	return err
}

// OwnersYAML writes the same document as YAML.
func OwnersYAML(w io.Writer, objects []*blame.Object, problems []blame.Problem, f blame.Filter) error {
	s, err := encodeJSON(ownersDocument(objects, problems, f), "")
	if err != nil {
		return err
	}
	var plain any
	if err := kjson.Unmarshal([]byte(s), &plain); err != nil {
		return err
	}
	s, err = encodeYAML(plain)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s)
	return err
}

func ownersDocument(objects []*blame.Object, problems []blame.Problem, f blame.Filter) blame.Document {
	selected := make([]*blame.Object, len(objects))
	for i, o := range objects {
		selected[i] = o.Select(f)
	}
	return blame.DocumentOf(selected, problems)
}
