package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldpattern"
	"github.com/ssactl/ssactl/internal/report"
)

// Key is where the rules of a policy stand in its file.
const Key = "ownership"

// keys are those of a rule, and of an owner that is a map, in the order of the
// documentation.
var (
	keys      = []string{"kinds", "namespaces", "labels", "fields", "owners", "severity", "reason"}
	ownerKeys = []string{"manager", "operation", "subresource"}
)

// Parse reads a policy: a list of rules under the key ownership. Others are the keys
// that the file may have beside it. The error has a line for each fault, as
// FILE:LINE: what is wrong.
func Parse(name string, text []byte, others ...string) (Policy, error) {
	documents := yaml.NewDecoder(bytes.NewReader(text))
	var document, another yaml.Node
	if err := documents.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return Policy{}, fmt.Errorf("%s: %s", name, shape(err))
	}
	f := &file{name: name}
	if len(document.Content) == 0 {
		return Policy{}, fmt.Errorf("%s: no rules: a policy is a list under the key %s", name, Key)
	}
	switch err := documents.Decode(&another); {
	case err == nil:
		return Policy{}, fmt.Errorf(
			"%s:%d: another document begins: write all rules under one key %s", name, another.Line, Key,
		)
	case !errors.Is(err, io.EOF):
		return Policy{}, fmt.Errorf("%s: %s", name, shape(err))
	}
	var p Policy
	root, ok := f.entries(document.Content[0], "a policy", append([]string{Key}, others...))[Key]
	switch {
	case !ok && f.errs == nil:
		f.wrong(document.Content[0], "no rules: a policy is a list under the key %s", Key)
	case !ok:
	case resolved(root.value).Kind != yaml.SequenceNode:
		f.wrong(root.value, "%s is a list of rules", Key)
	default:
		for _, node := range items(root.value) {
			p.Rules = append(p.Rules, f.rule(resolved(node)))
		}
	}
	return p, errors.Join(f.errs...)
}

// anchored is what of an error of YAML repeats the text.
var anchored = regexp.MustCompile(`anchor '.*?'`)

// shape is an error of YAML without what it repeats of the text: the file may be another one
// than is thought.
func shape(err error) string {
	return anchored.ReplaceAllString(strings.TrimPrefix(err.Error(), "yaml: "), "anchor")
}

func (f *file) rule(node *yaml.Node) Rule {
	r := Rule{Severity: report.SeverityError, Source: report.Source{File: f.name, Line: node.Line}}
	found := f.entries(node, "a rule", keys)
	for _, key := range keys {
		if e, ok := found[key]; ok {
			switch key {
			case "kinds":
				r.Kinds = f.kinds(e)
			case "namespaces":
				r.Namespaces = f.texts(e)
			case "labels":
				r.Labels = f.labels(e)
			case "fields":
				r.Fields = f.fields(e)
			case "severity":
				r.Severity = f.severity(e)
			case "reason":
				r.Reason = f.text(e)
			}
		}
	}
	if owners, ok := found["owners"]; ok {
		r.Owners = f.owners(owners)
	} else if found != nil {
		f.wrong(node, "a rule without owners: name who may own the fields, or write owners: [] for none")
	}
	return r
}

// kindText is KIND or KIND.GROUP.
var kindText = regexp.MustCompile(`^[A-Za-z0-9*]+(\.[a-z0-9*.-]+)?$`)

func (f *file) kinds(e entry) []string {
	texts := f.texts(e)
	for _, text := range texts {
		if kindText.MatchString(text) {
			continue
		}
		if group, kind, ok := strings.Cut(text, "/"); ok && !strings.Contains(kind, "/") {
			f.wrong(e.value, "kinds %q: write it as %s.%s", text, kind, group)
			continue
		}
		f.wrong(e.value, "kinds %q: write KIND, KIND.GROUP or *.GROUP, such as Deployment.apps", text)
	}
	return texts
}

func (f *file) labels(e entry) labels.Selector {
	text := f.text(e)
	s, err := labels.Parse(text)
	switch {
	case err != nil:
		f.wrong(e.value, "labels %q: %s", text, err)
		return nil
	case s.Empty():
		return nil
	}
	return s
}

func (f *file) fields(e entry) []Field {
	var out []Field
	for _, node := range items(e.value) {
		for _, text := range f.texts(entry{e.key, node}) {
			field, err := fieldOf(text)
			if err != nil {
				f.wrong(node, "%s", err)
				continue
			}
			out = append(out, field)
		}
	}
	if len(items(e.value)) == 0 {
		f.texts(e)
	}
	return out
}

// fieldOf reads a field of a rule.
func fieldOf(text string) (Field, error) {
	p, err := fieldpattern.Parse(text)
	if err != nil {
		return Field{}, err
	}
	anywheres := 0
	for _, s := range p {
		for name := range strings.SplitSeq(s.Names, ".") {
			// A quoted key is no ** of the pattern.
			if name == "**" && !s.Quoted {
				anywheres++
			}
		}
	}
	if anywheres > 1 {
		return Field{}, fmt.Errorf("field path %q: only one ** is possible", text)
	}
	return Field{Text: text, Pattern: p}, nil
}

func (f *file) severity(e entry) report.Severity {
	s := report.Severity(f.text(e))
	if s.Rank() < 0 {
		f.wrong(e.value, "severity %q: use error, warning or note", string(s))
		return report.SeverityError
	}
	return s
}

func (f *file) owners(e entry) []Owner {
	var out []Owner
	for _, node := range items(e.value) {
		switch node = resolved(node); {
		case node.Kind == yaml.MappingNode:
			out = append(out, f.owner(node))
		case node.Kind == yaml.ScalarNode && node.Value != "" && node.Tag != "!!null":
			out = append(out, Owner{Manager: node.Value})
		default:
			f.wrong(
				node,
				"an owner is the name of a field manager, or a map with the keys %s; owners: [] allows none",
				strings.Join(ownerKeys, ", "),
			)
		}
	}
	return out
}

func (f *file) owner(node *yaml.Node) Owner {
	var o Owner
	found := f.entries(node, "an owner", ownerKeys)
	if e, ok := found["manager"]; ok {
		o.Manager = f.text(e)
	} else if found != nil {
		f.wrong(node, "an owner without manager: name the field manager, or write manager: '*' for any")
	}
	if e, ok := found["operation"]; ok {
		o.Operation = f.text(e)
		if o.Operation != managedfields.Apply && o.Operation != managedfields.Update {
			f.wrong(e.value, "operation %q: use Apply or Update", o.Operation)
		}
	}
	if e, ok := found["subresource"]; ok {
		text := f.text(e)
		o.Subresource = &text
	}
	return o
}
