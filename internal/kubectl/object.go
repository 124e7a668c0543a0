package kubectl

import (
	"errors"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

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
