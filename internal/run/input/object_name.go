package input

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/manifest"
)

// ObjectName is KIND/NAME or KIND.GROUP/NAME, as people type it. Without a name
// it is every object of the kind.
type ObjectName struct{ Kind, group, Name string }

// ParseNames takes KIND/NAME, as often as it comes, or KIND NAME NAME….
func ParseNames(args []string) ([]ObjectName, error) {
	if len(args) > 1 && !slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, "/") }) {
		kind := args[0]
		args = slices.Clone(args[1:])
		for i := range args {
			args[i] = kind + "/" + args[i]
		}
	}
	var names []ObjectName
	for _, arg := range args {
		kind, name, ok := strings.Cut(arg, "/")
		if !ok || kind == "" || name == "" {
			return nil, fmt.Errorf("%q names no object: write KIND/NAME, such as deployment/web", arg)
		}
		kind, group, _ := strings.Cut(kind, ".")
		names = append(names, ObjectName{kind, group, name})
	}
	return names, nil
}

// ParseKinds takes KIND or KIND.GROUP, also as kubectl's list with commas.
func ParseKinds(args []string) ([]ObjectName, error) {
	var names []ObjectName
	for _, arg := range args {
		for kind := range strings.SplitSeq(arg, ",") {
			if kind == "" || strings.Contains(kind, "/") {
				return nil, fmt.Errorf("%q is no kind: --all takes kinds, such as deployments, and no names", arg)
			}
			kind, group, _ := strings.Cut(kind, ".")
			names = append(names, ObjectName{Kind: kind, group: group})
		}
	}
	return names, nil
}

func (n ObjectName) String() string {
	text := n.Kind
	if n.group != "" {
		text += "." + n.group
	}
	if n.Name == "" {
		return text
	}
	return text + "/" + n.Name
}

// InGroup takes the beginning of a group, and VERSION.GROUP, as kubectl does.
func (n ObjectName) InGroup(group string) bool {
	return n.group == "" || strings.HasPrefix(group, n.group) || strings.HasSuffix(n.group, "."+group)
}

// KindOf is the kind of a document, with its group and version.
func KindOf(id manifest.Identity) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: id.Group(), Version: id.Version(), Kind: id.Kind}
}
