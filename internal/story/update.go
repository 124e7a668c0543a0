package story

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	yaml "go.yaml.in/yaml/v3"
)

// Observed is a step with what it came to.
type Observed struct {
	Step
	Answers  []Answer
	Failures []Failure
}

// Update gives a file of stories in which expectations that do not hold are what was
// observed, and steps without any have the outcome and the conflicts. The rest keeps its
// order and its comments.
func Update(text []byte, observed []Observed) ([]byte, error) {
	var out bytes.Buffer
	documents, encoder := yaml.NewDecoder(bytes.NewReader(text)), yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	changed := false
	for {
		var n yaml.Node
		if err := documents.Decode(&n); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("parse the stories: %w", err)
		}
		for _, o := range observed {
			changed = o.into(&n) || changed
		}
		if err := encoder.Encode(&n); err != nil {
			return nil, fmt.Errorf("encode the stories: %w", err)
		}
	}
	if err := encoder.Close(); err != nil {
		return nil, fmt.Errorf("encode the stories: %w", err)
	}
	if !changed {
		return text, nil
	}
	return out.Bytes(), nil
}

// into puts what was observed into the nodes of a document.
func (o Observed) into(n *yaml.Node) bool {
	step := find(n, o.At)
	if step == nil {
		return false
	}
	if len(o.Expect) == 0 {
		return o.add(step)
	}
	changed := false
	for _, f := range o.Failures {
		for _, e := range o.Expect {
			if e.at(f.Key) != f.Place {
				continue
			}
			if node := find(n, e.At); node != nil && f.Key != "object" {
				changed = o.replace(node, e, f) || changed
			}
		}
	}
	return changed
}

// find is the mapping at a place; nil for none.
func find(n *yaml.Node, at Place) *yaml.Node {
	if n.Kind == yaml.MappingNode && n.Line == at.Line && n.Column == at.Column {
		return n
	}
	for _, child := range n.Content {
		if found := find(child, at); found != nil {
			return found
		}
	}
	return nil
}

// add has a step expect what it came to.
func (o Observed) add(step *yaml.Node) bool {
	var list []any
	for _, a := range o.Answers {
		one := map[string]any{"outcome": a.Outcome}
		if len(o.Answers) > 1 {
			one["object"] = a.Reference()
		}
		if conflicts := a.conflicts(); len(conflicts) > 0 {
			one["conflicts"] = conflicts
		}
		list = append(list, one)
	}
	if list == nil {
		return false
	}
	var value yaml.Node
	if err := value.Encode(list); err != nil {
		return false
	}
	step.Content = append(step.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "expect"}, &value)
	return true
}

func (a Answer) conflicts() map[string][]string {
	out := map[string][]string{}
	for _, c := range a.Conflicts {
		out[c.Field] = append(out[c.Field], c.Manager)
	}
	return out
}

// replace has an expectation be what was observed.
func (o Observed) replace(node *yaml.Node, e Expect, f Failure) bool {
	i := slices.IndexFunc(o.Answers, func(a Answer) bool { return e.Object == "" || a.isNamed(e.Object) })
	if i < 0 {
		return false
	}
	is, has := o.Answers[i].observed(f)
	for k := 0; k+1 < len(node.Content); k += 2 {
		if node.Content[k].Value != f.Key {
			continue
		}
		target := &node.Content[k+1]
		if f.Field != "" && (*target).Kind == yaml.MappingNode {
			return set(*target, f.Field, is, has)
		}
		var value yaml.Node
		if err := value.Encode(is); err != nil {
			return false
		}
		*target = &value
		return true
	}
	return false
}

// set gives a key of a mapping a value, or takes it away.
func set(mapping *yaml.Node, key string, is any, has bool) bool {
	var value yaml.Node
	if err := value.Encode(is); err != nil {
		return false
	}
	for k := 0; k+1 < len(mapping.Content); k += 2 {
		if mapping.Content[k].Value == key {
			if has {
				mapping.Content[k+1] = &value
			} else {
				mapping.Content = slices.Delete(mapping.Content, k, k+2)
			}
			return true
		}
	}
	mapping.Content = append(mapping.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, &value)
	return true
}

// observed is what an expectation would have to be; false where a field has none.
func (a Answer) observed(f Failure) (any, bool) {
	switch f.Key {
	case "outcome":
		return a.Outcome, true
	case "code":
		return a.Code, true
	case "message":
		return a.message(), true
	case "unchanged":
		return a.Outcome == "Unchanged", true
	case "deleted":
		return a.Deleted, true
	case "values":
		return Lookup(a.after(), f.Field)
	case "owners":
		return texts(a.ownersOf(f.Field)), true
	case "managers":
		return texts(a.managers()), true
	case "absent":
		return []string{}, true
	case "warnings":
		return a.Warnings, true
	case "settles":
		return a.settled(), true
	case "conflicts":
		found, has := a.conflicts()[f.Field]
		if f.Field == "" {
			return a.conflicts(), true
		}
		return found, has
	case "cycle":
		found, has := a.Cycle()[f.Field]
		return found, has
	}
	return a.lists(f.Key), true
}

// message is the status of the server, or why there is no answer.
func (a Answer) message() string {
	if a.Status != nil {
		return a.Status.Message
	}
	return a.Error
}

// settled is how the writers come to rest; empty where that was not asked.
func (a Answer) settled() string {
	if a.Settles != nil {
		return a.Settles.Result
	}
	return ""
}

// lists are what a list of expectations would have to be.
func (a Answer) lists(key string) []string {
	out := []string{}
	for _, f := range a.Findings {
		switch {
		case key == "findings":
			out = append(out, f.Rule)
		case key == "policy" && f.Rule == "forbidden-owner":
			out = append(out, f.Field)
		}
	}
	if key == "changes" {
		out = a.changed()
	}
	slices.Sort(out)
	return slices.Compact(out)
}
