package policy

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// Section are the rules of kinds whose fields have the same owners.
type Section struct {
	Kinds   []string
	Objects int
	Rules   []Rule
}

// Derive gives the policy that holds in what was seen: for each field pattern of a
// kind, just those may own it who do, in some object. A field that nobody owns goes
// with its parent. There are as few rules as that takes.
//
// The law: what was seen is not against the policy, and each manager that a rule allows
// owns one of the fields that it decides on. An error names a field that no rule can name.
func (s *Observation) Derive() ([]Section, error) {
	var out []Section
	kinds := slices.SortedFunc(maps.Keys(s.kinds), func(a, b schema.GroupKind) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind))
	})
	for _, kind := range kinds {
		o := s.kinds[kind]
		name := s.nameOf(kind.Kind, kind.Group)
		rules, err := o.root.rules()
		if err != nil {
			return nil, fmt.Errorf("the rules of %s: %w", name, err)
		}
		if len(rules) == 0 {
			continue
		}
		i := slices.IndexFunc(out, func(one Section) bool { return slices.EqualFunc(one.Rules, rules, sameRule) })
		if i < 0 {
			i = len(out)
			out = append(out, Section{Rules: rules})
		}
		out[i].Kinds, out[i].Objects = append(out[i].Kinds, name), out[i].Objects+o.objects
	}
	for _, one := range out {
		for i := range one.Rules {
			one.Rules[i].Kinds = one.Kinds
		}
	}
	return out, nil
}

// nameOf is a kind as rules name it: one without a group alone where no other kind
// has its name.
func (s *Observation) nameOf(kind, group string) string {
	if group != "" {
		return kind + "." + group
	}
	for other := range s.kinds {
		if other.Kind == kind && other.Group != "" {
			return kind + "." + coreGroup
		}
	}
	return kind
}

func sameRule(a, b Rule) bool {
	return slices.EqualFunc(a.Fields, b.Fields, func(a, b Field) bool { return a.Text == b.Text }) &&
		named(a.Owners) == named(b.Owners)
}

// named is a text that is the same for the same owners.
func named(owners []Owner) string {
	var names []string
	for _, o := range owners {
		names = append(names, fmt.Sprintf("%q %v", o.Manager, o.Subresource != nil), o.String())
	}
	return strings.Join(names, "\n")
}

// deriving is a tree of fields for which rules are sought.
//
// Each place that somebody owns has to be decided on by a rule with its owners; a
// place inherits the rule of its parent. Going up, the candidates of a place are the
// owners that most of its children can live with; going down, a rule is made where
// the inherited one is no candidate. That is the least number of rules, as with
// routes of a network that are aggregated.
type deriving struct {
	owners map[string][]Owner
	fits   map[*node][]string
	found  []draft
}

// draft is a rule for one field; level is how many of the rules above it are for
// parents of it.
type draft struct {
	level         int
	owners, field string
}

// rules are those of a tree, a parent's before its children's.
func (n *node) rules() ([]Rule, error) {
	d := deriving{owners: map[string][]Owner{}, fits: map[*node][]string{}}
	if d.up(n); len(d.fits[n]) == 0 {
		return nil, nil
	}
	d.down(n, "", nil, 0)
	slices.SortFunc(
		d.found,
		func(a, b draft) int { return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.field, b.field)) },
	)
	return d.joined()
}

// joined are rules of the drafts, in their order, those of one level with the same
// owners as one. Without its field, a rule would be about all of them.
func (d *deriving) joined() ([]Rule, error) {
	type group struct {
		level  int
		owners string
	}
	var groups []group
	var out []Rule
	for _, one := range d.found {
		g := group{one.level, one.owners}
		i := slices.Index(groups, g)
		if i < 0 {
			i = len(out)
			groups, out = append(groups, g), append(out, Rule{Owners: d.owners[one.owners], Severity: report.SeverityError})
		}
		if one.field == "" {
			continue
		}
		f, err := fieldOf(one.field)
		if err != nil {
			return nil, err
		}
		out[i].Fields = append(out[i].Fields, f)
	}
	return out, nil
}

// up finds the candidates of a place and of all below.
func (d *deriving) up(n *node) {
	if n.atomic {
		// A rule on a part would be about the whole too, where that is owned so.
		n.owners, n.children = n.all(), map[step]*node{}
	}
	counts := map[string]int{}
	most := 0
	for _, s := range n.steps() {
		child := n.children[s]
		d.up(child)
		for _, owners := range d.fits[child] {
			counts[owners]++
			most = max(most, counts[owners])
		}
	}
	if len(n.owners) > 0 {
		owners := ownersOf(n.owners)
		d.owners[named(owners)] = owners
		d.fits[n] = []string{named(owners)}
		return
	}
	maps.DeleteFunc(counts, func(_ string, n int) bool { return n < most })
	d.fits[n] = slices.Sorted(maps.Keys(counts))
}

// down makes rules where the inherited owners do not fit; nil are none.
func (d *deriving) down(n *node, field string, inherited *string, level int) {
	if inherited == nil || !slices.Contains(d.fits[n], *inherited) {
		if inherited != nil {
			n, field = n.only(field)
		}
		inherited = &d.fits[n][0]
		d.found = append(d.found, draft{level, *inherited, field})
		level++
	}
	for _, s := range n.steps() {
		d.down(n.children[s], field+s.String(), inherited, level)
	}
}

// only is the place below to which an exception can be confined: past those that
// nobody owns and that have one child.
func (n *node) only(field string) (*node, string) {
	for len(n.owners) == 0 && len(n.children) == 1 {
		s := n.steps()[0]
		n, field = n.children[s], field+s.String()
	}
	return n, field
}

// plainName needs no quotes in a field pattern.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// String is the step in a field pattern.
func (s step) String() string {
	switch {
	case s.item:
		return "[*]"
	case plainName.MatchString(s.name):
		return "." + s.name
	}
	var quoted bytes.Buffer
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	if err := e.Encode(s.name); err != nil {
		return "[*]"
	}
	return "[" + strings.TrimSpace(quoted.String()) + "]"
}

// ownersOf are roles as owners of a rule, sorted: a manager with its subresource
// where all that it owns here is written through that one.
func ownersOf(roles map[managedfields.Role]bool) []Owner {
	var out []Owner
	for _, r := range slices.SortedFunc(maps.Keys(roles), managedfields.Role.Compare) {
		subresource := r.Subresource
		switch n := len(out); {
		case n == 0 || out[n-1].Manager != r.Manager:
			out = append(out, Owner{Manager: r.Manager, Subresource: &subresource})
		case *out[n-1].Subresource != subresource:
			empty := ""
			out[n-1].Subresource = &empty
		}
	}
	for i := range out {
		if *out[i].Subresource == "" {
			out[i].Subresource = nil
		}
	}
	return out
}
