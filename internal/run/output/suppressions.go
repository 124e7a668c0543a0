package output

import (
	"errors"
	"fmt"
	"strings"
	"time"

	yaml "go.yaml.in/yaml/v3"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/bounded"
)

// loadSuppressions reads files of suppressions, in their order.
func loadSuppressions(files []string, rules finding.Rules) ([]finding.Suppression, error) {
	var out []finding.Suppression
	var errs []error
	for _, file := range files {
		list, err := readSuppressions(file, rules)
		if err != nil {
			errs = append(errs, fmt.Errorf("--suppressions: %w", err))
		}
		out = append(out, list...)
	}
	return out, errors.Join(errs...)
}

func readSuppressions(file string, rules finding.Rules) ([]finding.Suppression, error) {
	text, err := bounded.File(file, manifest.DefaultMaxDocumentBytes)
	if err != nil {
		return nil, err
	}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, fmt.Errorf("parse %s: %s", file, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if root.Kind == 0 {
		return nil, nil // empty, or comments only
	}
	items, err := suppressionItems(root.Content[0])
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", file, err)
	}
	var out []finding.Suppression
	for _, item := range items {
		s, err := suppressionOf(item, rules)
		if err != nil {
			return nil, fmt.Errorf("parse %s: %w", file, err)
		}
		s.Source = report.Source{File: file, Line: item.Line}
		out = append(out, s)
	}
	return out, nil
}

// suppressionItems are those of the list under "suppressions", which is all
// that a file has.
func suppressionItems(root *yaml.Node) ([]*yaml.Node, error) {
	if root.Kind != yaml.MappingNode || len(root.Content) != 2 || root.Content[0].Value != "suppressions" || root.Content[1].Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("line %d: a list under the key suppressions is needed, and nothing else", root.Line)
	}
	return root.Content[1].Content, nil
}

// suppressionOf reads an item. Every value is a text.
func suppressionOf(item *yaml.Node, rules finding.Rules) (finding.Suppression, error) {
	var s finding.Suppression
	if item.Kind != yaml.MappingNode {
		return s, fmt.Errorf("line %d: a suppression has keys, such as rule and name", item.Line)
	}
	expires := ""
	keys := map[string]*string{
		"rule": &s.Rule, "kind": &s.Kind, "namespace": &s.Namespace, "name": &s.Name,
		"field": &s.Field, "reason": &s.Reason, "expires": &expires,
	}
	for i := 0; i+1 < len(item.Content); i += 2 {
		key, value := item.Content[i], item.Content[i+1]
		to, known := keys[key.Value]
		if !known {
			return s, fmt.Errorf("line %d: unknown key %q: there are rule, kind, namespace, name, field, reason, expires", key.Line, key.Value)
		}
		if value.Kind != yaml.ScalarNode {
			return s, fmt.Errorf("line %d: %s is a text", value.Line, key.Value)
		}
		*to = value.Value
	}
	if err := completed(&s, expires, rules); err != nil {
		return s, fmt.Errorf("line %d: %w", item.Line, err)
	}
	return s, nil
}

func completed(s *finding.Suppression, expires string, rules finding.Rules) error {
	if s.Rule == "" {
		return errors.New("a suppression needs a rule; '*' stands for all")
	}
	if err := rules.Check(finding.Selection{Only: []string{s.Rule}}); err != nil {
		return err
	}
	if expires == "" {
		return nil
	}
	day, err := time.Parse(time.DateOnly, expires)
	if err != nil {
		return fmt.Errorf("expires %q is no day, such as 2026-12-31", expires)
	}
	s.Expires = day
	return nil
}
