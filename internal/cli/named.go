package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
)

// objectName is KIND/NAME or KIND.GROUP/NAME, as people type it. Without a name
// it is every object of the kind.
type objectName struct{ kind, group, name string }

// parseNames takes KIND/NAME, as often as it comes, or KIND NAME NAME….
func parseNames(args []string) ([]objectName, error) {
	if len(args) > 1 && !slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, "/") }) {
		kind := args[0]
		args = slices.Clone(args[1:])
		for i := range args {
			args[i] = kind + "/" + args[i]
		}
	}
	var names []objectName
	for _, arg := range args {
		kind, name, ok := strings.Cut(arg, "/")
		if !ok || kind == "" || name == "" {
			return nil, fmt.Errorf("%q names no object: write KIND/NAME, such as deployment/web", arg)
		}
		kind, group, _ := strings.Cut(kind, ".")
		names = append(names, objectName{kind, group, name})
	}
	return names, nil
}

// parseKinds takes KIND or KIND.GROUP, also as kubectl's list with commas.
func parseKinds(args []string) ([]objectName, error) {
	var names []objectName
	for _, arg := range args {
		for kind := range strings.SplitSeq(arg, ",") {
			if kind == "" || strings.Contains(kind, "/") {
				return nil, fmt.Errorf("%q is no kind: --all takes kinds, such as deployments, and no names", arg)
			}
			kind, group, _ := strings.Cut(kind, ".")
			names = append(names, objectName{kind: kind, group: group})
		}
	}
	return names, nil
}

func (n objectName) String() string {
	text := n.kind
	if n.group != "" {
		text += "." + n.group
	}
	if n.name == "" {
		return text
	}
	return text + "/" + n.name
}

// matches reports whether an object is meant: by its kind, or by its resource in the
// plural, the singular or short.
func (n objectName) matches(c *cluster, o manifest.Identity) bool {
	if n.name != "" && n.name != o.Name || !n.inGroup(o.Group()) {
		return false
	}
	resource := c.server.Resource(kindOf(o))
	return strings.EqualFold(n.kind, o.Kind) || strings.EqualFold(n.kind, resource.Resource) ||
		slices.ContainsFunc(resource.Names, func(name string) bool { return strings.EqualFold(n.kind, name) })
}

// inGroup takes the beginning of a group, and VERSION.GROUP, as kubectl does.
func (n objectName) inGroup(group string) bool {
	return n.group == "" || strings.HasPrefix(group, n.group) || strings.HasSuffix(n.group, "."+group)
}

// named gives the live objects that a run is about, in their order: those that
// the arguments name, else all; and of them those of --namespace, where it is
// given. As with kubectl, it is ignored for an object without a namespace
// that an argument names. Where none is left, or none has a name, the error says
// so; but not where there is a problem that may be why.
func (c *cluster) named(wanted []objectName) ([]*live.Object, error) {
	var out []*live.Object
	all := c.live.Objects()
	found := make([]bool, len(wanted))
	for _, o := range all {
		switch {
		case !c.inNamespace(o.Key, wanted):
		case len(wanted) == 0 || markMatches(c, wanted, found, o.Identity):
			out = append(out, o)
		}
	}
	for i, n := range wanted {
		if !found[i] {
			return nil, fmt.Errorf("the live files have no %s%s%s", n, c.ofNamespace(), c.instead(n, all))
		}
	}
	switch {
	case len(out) > 0:
		return out, nil
	case len(all) > 0:
		return nil, fmt.Errorf("the live files have no object%s; %s", c.ofNamespace(), namespacesOf(all))
	case len(c.problems) == 0:
		return nil, errors.New("the inputs have no live objects")
	}
	return nil, nil
}

func (c *cluster) inNamespace(k live.Key, wanted []objectName) bool {
	return c.scope.namespace == "" || k.Namespace == c.scope.namespace || k.Namespace == "" && len(wanted) > 0
}

// ofNamespace is --namespace in the words of a message; empty without it.
func (c *cluster) ofNamespace() string {
	if c.scope.namespace == "" {
		return ""
	}
	return fmt.Sprintf(" in the namespace %q", c.scope.namespace)
}

func markMatches(c *cluster, wanted []objectName, found []bool, o manifest.Identity) bool {
	any := false
	for i, n := range wanted {
		if n.matches(c, o) {
			found[i], any = true, true
		}
	}
	return any
}

// want has the manifests asked about that the arguments name. Each of them names one, or
// a manifest that could not be read may be the one.
func (c *cluster) want(names []objectName) error {
	for _, n := range names {
		one := []objectName{n}
		if len(c.problems) == 0 && !slices.ContainsFunc(c.manifests, func(d manifest.Document) bool {
			return c.inNamespace(c.scope.key(d.Identity), one) && n.matches(c, d.Identity)
		}) {
			return fmt.Errorf("the manifests have no %s%s", n, c.ofNamespace())
		}
	}
	c.wanted = names
	return nil
}
