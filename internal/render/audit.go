package render

import (
	"encoding/json"
	"io"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/plan/audit"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/view"
)

// Audit is the answer of an audit, of which findings from a severity on make the
// run fail; an empty one means that none does.
func Audit(d audit.Report, failOn audit.Severity) Answer {
	return Answer{
		Report: d,
		View:   func(o view.Options) model.Document { return view.Audit(d, failOn, o) },
		Own:    map[string]func(io.Writer, Options) error{"yaml": func(w io.Writer, _ Options) error { return yamlTo(w, d) }},
	}
}

// yamlTo writes a document as YAML, with the keys of its JSON.
func yamlTo(w io.Writer, document any) error {
	b, err := json.Marshal(document)
	if err != nil {
		return err
	}
	var tree map[string]any
	if err := kjson.Unmarshal(b, &tree); err != nil {
		return err
	}
	s, err := objects.YAML(tree)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s)
	return err
}
