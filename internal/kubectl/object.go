package kubectl

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
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
	// Body is the patch as JSON.
	Body []byte
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

// Command gives the words of kubectl with a verb on this object, and more
// arguments.
func (o Object) Command(verb string, args ...string) []string {
	words := []string{"kubectl", verb, o.Reference()}
	if o.Namespace != "" {
		words = append(words, "-n", o.Namespace)
	}
	return append(words, args...)
}

// Patch gives the words that send a patch.
func (o Object) Patch(p Patch) []string {
	var args []string
	if p.Subresource != "" {
		args = append(args, "--subresource="+p.Subresource)
	}
	if p.Manager != "" {
		args = append(args, "--field-manager="+p.Manager)
	}
	return o.Command("patch", append(args, "--type="+string(p.Type), "-p", string(p.Body))...)
}
