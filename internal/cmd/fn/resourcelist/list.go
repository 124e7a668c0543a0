// Package resourcelist reads and writes what a KRM function gets and gives: a
// ResourceList of config.kubernetes.io/v1, whose items pass through as they are.
//
//	list.go    the list, and its items as manifests
//	result.go  what a function says of an item
package resourcelist

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// List is a ResourceList.
type List struct {
	document yaml.Node
	// Config are the keys of the function's configuration, in their order.
	Config []Key
	// Items are those that are applied, and Manifests what is: a document an item,
	// without the notes of the program that runs the function. Both are empty for none.
	Items     []Item
	Manifests []byte
}

// Key is one of a function's configuration, with its values.
type Key struct {
	Name   string
	Values []string
	// Line is where it stands in the list.
	Line int
}

// Item is where an item came from.
type Item struct {
	// Path is relative to the package; empty where it is not known.
	Path  string
	Index int
}

// The annotations that a function meets.
const (
	internal  = "internal.config.kubernetes.io/"
	public    = "config.kubernetes.io/"
	legacy    = "config.k8s.io/id"
	localOnly = public + "local-config"
)

// Read reads a list. Items are not looked into.
func Read(text []byte) (*List, error) {
	l := &List{}
	if err := yaml.Unmarshal(text, &l.document); err != nil {
		return nil, err
	}
	root := l.root()
	if root == nil || scalar(root, "kind") != "ResourceList" {
		return nil, errors.New("has no ResourceList: ssactl fn is run by kustomize or kpt")
	}
	if version := scalar(root, "apiVersion"); version != "config.kubernetes.io/v1" {
		return nil, fmt.Errorf("is a ResourceList of %q, and config.kubernetes.io/v1 is known", version)
	}
	var err error
	if l.Config, err = config(value(root, "functionConfig")); err != nil {
		return nil, fmt.Errorf("functionConfig: %w", err)
	}
	var manifests bytes.Buffer
	if items := value(root, "items"); items != nil {
		for _, node := range items.Content {
			if err := l.add(&manifests, node); err != nil {
				return nil, err
			}
		}
	}
	l.Manifests = manifests.Bytes()
	return l, nil
}

func (l *List) root() *yaml.Node {
	if len(l.document.Content) != 1 || l.document.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	return l.document.Content[0]
}

// add adds an item that is applied.
func (l *List) add(manifests *bytes.Buffer, node *yaml.Node) error {
	text, err := yaml.Marshal(node)
	if err != nil {
		return err
	}
	var own yaml.Node
	if err := yaml.Unmarshal(text, &own); err != nil {
		return err
	}
	annotations := &yaml.Node{}
	metadata := value(own.Content[0], "metadata")
	if found := value(metadata, "annotations"); found != nil {
		annotations = found
	}
	if scalar(annotations, localOnly) == "true" {
		return nil
	}
	item := Item{Path: cmp.Or(scalar(annotations, internal+"path"), scalar(annotations, public+"path"))}
	item.Index, _ = strconv.Atoi(cmp.Or(scalar(annotations, internal+"index"), scalar(annotations, public+"index")))
	withoutNotes(annotations)
	if metadata != nil && len(annotations.Content) == 0 {
		remove(metadata, "annotations")
	}
	if text, err = yaml.Marshal(&own); err != nil {
		return err
	}
	l.Items = append(l.Items, item)
	fmt.Fprintf(manifests, "---\n%s", text)
	return nil
}

// withoutNotes removes what the program that runs the function adds to an item.
func withoutNotes(annotations *yaml.Node) {
	var kept []*yaml.Node
	for i := 0; i+1 < len(annotations.Content); i += 2 {
		name := annotations.Content[i].Value
		note := strings.HasPrefix(name, internal) || name == public+"path" || name == public+"index" || name == public+"id" ||
			name == legacy
		if !note {
			kept = append(kept, annotations.Content[i], annotations.Content[i+1])
		}
	}
	annotations.Content = kept
}

// With gives the list with the results of the function, in place of others.
func (l *List) With(results []Result) ([]byte, error) {
	var node yaml.Node
	if err := node.Encode(results); err != nil {
		return nil, err
	}
	root := l.root()
	remove(root, "results")
	if len(results) > 0 {
		root.Content = append(root.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "results"}, &node)
	}
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	err := errors.Join(encoder.Encode(&l.document), encoder.Close())
	return b.Bytes(), err
}

// config are the keys of a function's configuration: the spec of an object, or the data of a
// ConfigMap, in which several values stand one a line.
func config(node *yaml.Node) ([]Key, error) {
	from := value(node, "spec")
	if scalar(node, "kind") == "ConfigMap" {
		from = value(node, "data")
	}
	if from == nil {
		return nil, nil
	}
	var out []Key
	for i := 0; i+1 < len(from.Content); i += 2 {
		name, v := from.Content[i], from.Content[i+1]
		k := Key{Name: name.Value, Line: name.Line}
		switch v.Kind {
		case yaml.ScalarNode:
			k.Values = strings.Split(strings.TrimSpace(v.Value), "\n")
		case yaml.SequenceNode:
			for _, e := range v.Content {
				k.Values = append(k.Values, e.Value)
			}
		default:
			return nil, fmt.Errorf("line %d: %s is neither a value nor a list of values", k.Line, k.Name)
		}
		out = append(out, k)
	}
	return out, nil
}

// value is that of a key of a mapping; nil where there is none.
func value(mapping *yaml.Node, key string) *yaml.Node {
	if mapping == nil {
		return nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

func scalar(mapping *yaml.Node, key string) string {
	if v := value(mapping, key); v != nil && v.Kind == yaml.ScalarNode {
		return v.Value
	}
	return ""
}

func remove(mapping *yaml.Node, key string) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			mapping.Content = append(mapping.Content[:i], mapping.Content[i+2:]...)
			return
		}
	}
}
