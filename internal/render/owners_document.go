package render

import (
	"io"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/plan/owners"
)

// OwnersAnswer is what a run found out.
type OwnersAnswer struct {
	Objects     []*owners.Object
	Problems    []owners.Problem
	Interrupted *owners.Interruption
}

// OwnersJSON writes the document of what the filter asks for.
func OwnersJSON(w io.Writer, a OwnersAnswer, f owners.Filter) error {
	s, err := encodeJSON(a.document(f), "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s+"\n")
	return err
}

// OwnersYAML writes the same document as YAML.
func OwnersYAML(w io.Writer, a OwnersAnswer, f owners.Filter) error {
	s, err := encodeJSON(a.document(f), "")
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

func (a OwnersAnswer) document(f owners.Filter) owners.Document {
	selected := make([]*owners.Object, len(a.Objects))
	for i, o := range a.Objects {
		selected[i] = o.Select(f)
	}
	d := owners.DocumentOf(selected, a.Problems)
	d.Interrupted = a.Interrupted
	return d
}
