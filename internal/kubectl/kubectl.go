// Package kubectl gives the kubectl command lines that do to one object what ssactl
// simulated, fully named. There is none about what no API server has: a name, a kind, a
// group or a namespace that is none.
package kubectl

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/shell"
)

// Object names one object to kubectl.
type Object struct {
	// Resource is the plural name, at the version to talk in.
	Resource schema.GroupVersionResource
	// Namespace is empty for cluster-scoped objects.
	Namespace string
	Name      string
}

// PatchType is the --type of a patch.
type PatchType string

// The kinds of patch.
const (
	JSONPatch  PatchType = "json"
	MergePatch PatchType = "merge"
)

// Patch is what to send.
type Patch struct {
	Type PatchType
	// Body is the patch as JSON; File is the file that has it instead.
	Body []byte
	File string
	// Subresource is empty for the main resource.
	Subresource string
	// Manager is the field manager; empty leaves kubectl its own name for
	// patches, kubectl-patch.
	Manager string
}

// Resources reports how kinds are served.
type Resources interface {
	Resource(schema.GroupVersionKind) api.Resource
}

// Named is the object of a kind. Where the kind is not known, it stands for
// its resource, which kubectl takes too.
func Named(resources Resources, kind schema.GroupVersionKind, namespace, name string) Object {
	resource := resources.Resource(kind).Resource
	if resource == "" {
		resource = strings.ToLower(kind.Kind)
	}
	return Object{Resource: kind.GroupVersion().WithResource(resource), Namespace: namespace, Name: name}
}

// Reference is TYPE/NAME, the type written as RESOURCE.VERSION.GROUP, so that
// no other group's resource of the same name is meant. Resources of the core
// group are written without: kubectl prefers them.
//
//	deployments.v1.apps/web    configmaps/settings
func (o Object) Reference() string {
	r := o.Resource
	if r.Group == "" {
		return r.Resource + "/" + o.Name
	}
	return r.Resource + "." + r.Version + "." + r.Group + "/" + o.Name
}

// Fetch is the line that prints the object with its managed fields.
func (o Object) Fetch() shell.Line {
	return o.line(shell.Command("kubectl", "get"), shell.Value("--output", "yaml"), shell.Switch("--show-managed-fields"))
}

// Unannotate is the line that removes an annotation.
func (o Object) Unannotate(key string) shell.Line {
	return o.line(shell.Command("kubectl", "annotate")).On(key + "-")
}

// Patch is the line that sends a patch.
func (o Object) Patch(p Patch) shell.Line {
	var flags []shell.Flag
	if p.Subresource != "" {
		flags = append(flags, shell.Value("--subresource", p.Subresource))
	}
	if p.Manager != "" {
		flags = append(flags, shell.Value("--field-manager", p.Manager))
	}
	body := shell.Value("--patch", string(p.Body))
	if p.File != "" {
		body = shell.File("--patch-file", p.File)
	}
	return o.line(shell.Command("kubectl", "patch"), append(flags, shell.Value("--type", string(p.Type)), body)...)
}

// Cascade is the --cascade of a deletion.
type Cascade string

// Delete is the line that deletes the object.
func (o Object) Delete(cascade Cascade) shell.Line {
	return o.line(shell.Command("kubectl", "delete"), shell.Value("--cascade", string(cascade)))
}

// line is a line about the object.
func (o Object) line(command shell.Line, flags ...shell.Flag) shell.Line {
	r := o.Resource
	if err := errors.Join(checkType(r.Resource), Check(r.GroupVersion().WithKind(""), o.Namespace, o.Name)); err != nil {
		return shell.Refused(err)
	}
	if o.Namespace != "" {
		command = command.With(shell.Value("--namespace", o.Namespace))
	}
	return command.With(flags...).On(o.Reference())
}

// Client is how kubectl is called. The zero Client is kubectl as it is set up.
type Client struct {
	// Context and Kubeconfig are its flags of these names; empty for none.
	Context, Kubeconfig string
}

// Flags are those of the client.
func (c Client) Flags() []shell.Flag {
	var flags []shell.Flag
	if c.Kubeconfig != "" {
		flags = append(flags, shell.File("--kubeconfig", c.Kubeconfig))
	}
	if c.Context != "" {
		flags = append(flags, shell.Value("--context", c.Context))
	}
	return flags
}

// Selection is the objects of one type: those of the names, or all where there are
// no names.
type Selection struct {
	// Type is what kubectl is given: RESOURCE.GROUP, KIND.VERSION.GROUP, and of the
	// core group the resource alone.
	Type  string
	Names []string
}

// Get is the objects that one 'kubectl get' prints. Either all of its selections have
// names, or none has.
type Get struct {
	Selections []Selection
	// Namespace is empty for cluster-scoped types; Everywhere is all namespaces.
	Namespace  string
	Everywhere bool
}

// Command is the line that prints the objects with their managed fields. What is not
// there is no error.
func (g Get) Command(c Client) shell.Line {
	return g.line(
		c,
		shell.Switch("--ignore-not-found"),
		shell.Switch("--show-managed-fields"),
		shell.Value("--output", "json"),
	)
}

// YAML is the line that prints the objects with their managed fields for people.
func (g Get) YAML() shell.Line {
	return g.line(Client{}, shell.Value("--output", "yaml"), shell.Switch("--show-managed-fields"))
}

func (g Get) line(c Client, flags ...shell.Flag) shell.Line {
	errs := []error{checkNamespace(g.Namespace)}
	for _, s := range g.Selections {
		errs = append(errs, checkType(s.Type))
		for _, name := range s.Names {
			errs = append(errs, checkName(name))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return shell.Refused(err)
	}
	line := shell.Command("kubectl", "get").With(c.Flags()...)
	switch {
	case g.Everywhere:
		line = line.With(shell.Switch("--all-namespaces"))
	case g.Namespace != "":
		line = line.With(shell.Value("--namespace", g.Namespace))
	}
	return line.With(flags...).On(g.objects()...)
}

// objects are the words that name what is fetched: TYPE NAME NAME of one type, TYPE/NAME
// of several, TYPE,TYPE for all objects.
func (g Get) objects() []string {
	var types, names []string
	for _, s := range g.Selections {
		types = append(types, s.Type)
		for _, name := range s.Names {
			names = append(names, s.Type+"/"+name)
		}
	}
	switch {
	case names == nil:
		return []string{strings.Join(types, ",")}
	case len(types) == 1:
		return append(types, g.Selections[0].Names...)
	}
	return names
}

// maxName is longer than any name of an object: only those of RBAC have no bound.
const maxName = 1024

// Check reports why no object of an API server is named so; nil for one that may be. It
// takes more than the server does, which has a stricter rule for most kinds. An empty
// namespace is that of a cluster-scoped object, and an empty name is left out.
func Check(kind schema.GroupVersionKind, namespace, name string) error {
	return errors.Join(checkKind(kind), checkNamespace(namespace), checkName(name))
}

func checkKind(kind schema.GroupVersionKind) error {
	switch {
	case kind.Kind != "" && validation.IsDNS1035Label(strings.ToLower(kind.Kind)) != nil:
		return fmt.Errorf("%q is no kind of an API server", kind.Kind)
	case kind.Version != "" && validation.IsDNS1035Label(kind.Version) != nil:
		return fmt.Errorf("%q is no API version of an API server", kind.Version)
	case kind.Group != "" && validation.IsDNS1123Subdomain(kind.Group) != nil:
		return fmt.Errorf("%q is no API group of an API server", kind.Group)
	}
	return nil
}

func checkNamespace(namespace string) error {
	if namespace == "" || validation.IsDNS1123Label(namespace) == nil {
		return nil
	}
	return fmt.Errorf("%q is no namespace of an API server", namespace)
}

// checkName takes what is one segment of a path. Names that begin with a dash, or do not
// show themselves, are none of any object that is served by intent.
func checkName(name string) error {
	unseen := func(r rune) bool { return !unicode.IsPrint(r) }
	if content.IsPathSegmentName(name) == nil && !strings.HasPrefix(name, "-") && utf8.ValidString(name) &&
		!strings.ContainsFunc(name, unseen) &&
		len(name) <= maxName {
		return nil
	}
	if len(name) > maxName {
		return fmt.Errorf("the name has %d bytes, more than any name of an API server", len(name))
	}
	return fmt.Errorf("%q is no name of an object of an API server", name)
}

// checkType takes RESOURCE.GROUP and KIND.VERSION.GROUP, whose group may be empty.
func checkType(name string) error {
	if kind, rest, _ := strings.Cut(strings.TrimSuffix(name, "."), "."); validation.IsDNS1035Label(
		strings.ToLower(kind),
	) == nil &&
		(rest == "" || validation.IsDNS1123Subdomain(rest) == nil) {
		return nil
	}
	return fmt.Errorf("%q is no resource of an API server", name)
}
