// Package policy says who may own which field, and finds who owns another.
//
//	policy.go   rules, and which of them decides
//	parse.go    the text of a policy: YAML, every error with its line
//	node.go     what a YAML node has to be
//	check.go    what owners of an object, or a write, do against it
//	observe.go  who owns what in many objects, by kind and field pattern
//	derive.go   the shortest policy that says just that
//	encode.go   a policy as text
//
// The last rule that matches a field decides on it, as the last pattern of
// CODEOWNERS or .gitignore does: the general rule comes first, the exception below
// it. A field that no rule matches may be owned by any manager.
package policy

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldpattern"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Policy says who may own what: the last matching rule decides. The
// zero policy allows everything.
type Policy struct {
	Rules []Rule
	// uses are those of the rules where the policy is watched, and else nil.
	uses []use
}

// Rule says who may own fields. A condition that is empty matches everything.
type Rule struct {
	// Kinds are KIND, KIND.GROUP or *.GROUP; * stands for any text, and the group
	// core for the one without a name.
	Kinds []string
	// Namespaces are names; * stands for any text. A rule with some matches no
	// cluster-scoped object.
	Namespaces []string
	// Labels selects objects by their labels; nil for all.
	Labels labels.Selector
	// Fields are the fields that the rule is about, with all below them.
	Fields []Field
	// Owners may own the fields; empty for none.
	Owners []Owner
	// Severity is how bad another owner is.
	Severity report.Severity
	// Reason is why; empty where none is given.
	Reason string
	Source report.Source
}

// Field is a field of a rule, as it is written.
type Field struct {
	Text    string `secret:"path"`
	Pattern fieldpattern.Pattern
}

// Owner is a field manager that may own fields. * stands for any text; an empty
// operation for both.
type Owner struct {
	Manager   string `secret:"public"`
	Operation string `secret:"public"`
	// Subresource is that of its writes: nil for any, empty for the main resource.
	Subresource *string
}

// Is reports whether a managed fields entry is of the owner.
func (o Owner) Is(r managedfields.Role) bool {
	return fieldpattern.Glob(o.Manager, r.Manager) &&
		(o.Operation == "" || o.Operation == r.Operation) &&
		(o.Subresource == nil || *o.Subresource == r.Subresource)
}

// String is the owner as audits name managed fields entries.
func (o Owner) String() string {
	of := ""
	if o.Subresource != nil {
		of = cmp.Or(*o.Subresource, "main resource")
	}
	switch {
	case of != "" && o.Operation != "":
		return o.Manager + " (" + o.Operation + " of " + of + ")"
	case of != "" || o.Operation != "":
		return o.Manager + " (" + of + o.Operation + ")"
	}
	return o.Manager
}

// Names are owners as audits name them.
func Names(owners []Owner) []string {
	var out []string
	for _, o := range owners {
		out = append(out, o.String())
	}
	return out
}

// maxOwners is how many owners a sentence names.
const maxOwners = 3

// Says is what the rule allows, with its place and its reason.
//
//	own.yaml:6 allows kube-controller-manager (scale) only: the autoscaler decides
func (r Rule) Says() text.Text {
	names := Names(r.Owners)
	says := text.New("%v:%v allows no owner", text.Name(r.Source.File), text.Number(r.Source.Line))
	if names != nil {
		says = text.New(
			"%v:%v allows %v only", text.Name(r.Source.File), text.Number(r.Source.Line),
			text.List(names, maxOwners, text.Name),
		)
	}
	if r.Reason != "" {
		says = text.New("%v: %v", says, text.Said(r.Reason))
	}
	return says
}

// Allows reports whether a managed fields entry may own what the rule matches.
func (r Rule) Allows(role managedfields.Role) bool {
	return slices.ContainsFunc(r.Owners, func(o Owner) bool { return o.Is(role) })
}

// Object is an object with what rules ask of it.
type Object struct {
	Kind      schema.GroupKind
	Namespace string
	// Live is the object, with its labels.
	Live map[string]any
	// Shape is that of its merge type; zero where that is not known.
	Shape managedfields.Shape
}

// concerns reports whether the rule is about fields of an object.
func (r Rule) concerns(o Object) bool {
	ofKind := func(pattern string) bool { return kindFits(pattern, o.Kind) }
	inNamespace := func(pattern string) bool { return o.Namespace != "" && fieldpattern.Glob(pattern, o.Namespace) }
	return (len(r.Kinds) == 0 || slices.ContainsFunc(r.Kinds, ofKind)) &&
		(len(r.Namespaces) == 0 || slices.ContainsFunc(r.Namespaces, inNamespace)) &&
		(r.Labels == nil || r.Labels.Matches(labelsOf(o.Live)))
}

// kindFits compares with KIND, which any group may have, or KIND.GROUP.
func kindFits(pattern string, kind schema.GroupKind) bool {
	name, group, grouped := strings.Cut(pattern, ".")
	if !grouped {
		return fieldpattern.Glob(pattern, kind.Kind)
	}
	if kind.Group == "" {
		kind.Group = coreGroup
	}
	return fieldpattern.Glob(name, kind.Kind) && fieldpattern.Glob(group, kind.Group)
}

// coreGroup stands for the API group without a name, that of Pods and Services.
const coreGroup = "core"

func labelsOf(object map[string]any) labels.Set {
	given, _ := fieldtree.Value(object, "metadata", "labels").(map[string]any)
	set := labels.Set{}
	for key, v := range given {
		if text, ok := v.(string); ok {
			set[key] = text
		}
	}
	return set
}

// on are the rules that concern an object, in their order.
func (p Policy) on(o Object) []*Rule {
	var out []*Rule
	for i := range p.Rules {
		if p.Rules[i].concerns(o) {
			if p.uses != nil {
				p.uses[i].object.Store(true)
			}
			out = append(out, &p.Rules[i])
		}
	}
	return out
}

// deciding is the last of the rules that matches an owned path of an object; nil for
// none.
func deciding(rules []*Rule, o Object, path fieldpath.Path) *Rule {
	for i := len(rules) - 1; i >= 0; i-- {
		if rules[i].about(o, path) {
			return rules[i]
		}
	}
	return nil
}

// about reports whether the rule is about an owned path: one that it names, one
// below, and an atomic list or map with something in it that the rule names, which is
// owned with it.
func (r *Rule) about(o Object, path fieldpath.Path) bool {
	return len(r.Fields) == 0 || slices.ContainsFunc(r.Fields, func(f Field) bool {
		switch f.Pattern.To(path) {
		case fieldpattern.Covers:
			return true
		case fieldpattern.Inside:
			return o.atomic(path) && len(f.Pattern.Find(o.Live)) > 0
		}
		return false
	})
}

// atomic reports whether a path leads to a list or map that is owned as a whole.
func (o Object) atomic(path fieldpath.Path) bool {
	shape := o.Shape
	for _, pe := range path {
		shape = shape.Child(pe)
	}
	return shape.AtomicMap() || shape.AtomicList()
}
