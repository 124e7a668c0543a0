package server

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/exchange"
	"github.com/ssactl/ssactl/internal/server/faithful"
	"github.com/ssactl/ssactl/internal/server/gotree"
)

// Endpoint stores an apply of an object of a built-in kind, or a JSON patch, for callers that
// know the resulting object without the field manager. Strategy, validation and admission run
// as in the handlers.
type Endpoint struct {
	*endpoint
	server *Server
	call   api.Request
}

// Endpoint gives that of such a request; false where the handlers may do more than merge, judge
// and store such a request, and for all requests to a server of FullPath.
func (s *Server) Endpoint(call api.Request) (*Endpoint, bool) {
	if s.catalog.path == FullPath || !patchesMain(call) || s.types.LaterFields(call.Kind) != nil {
		return nil, false
	}
	r, err := s.catalog.find(call.Kind)
	if err != nil || r == nil || r.namespaced != (call.Namespace != "") {
		return nil, false
	}
	e := r.endpoints[""]
	if s.looksFurther(call, e.scope.Resource.GroupResource()) {
		return nil, false
	}
	if _, ok := e.storage.(rest.Patcher); !ok || len(e.warnings) > 0 || faithful.HiddenFields(call) != nil {
		return nil, false
	}
	if s.types.CheckQuantities(call.Kind, call.Body, call.Live) != nil {
		return nil, false
	}
	return &Endpoint{endpoint: e, server: s, call: call}, true
}

// looksFurther reports whether an answer may depend on more than the two objects: on the clock, on the
// text of the request, on policies.
func (s *Server) looksFurther(call api.Request, resource schema.GroupResource) bool {
	operation := admission.Update
	if call.Live == nil {
		operation = admission.Create
	}
	return !call.Now.IsZero() && asksClock[resource] || faithful.KeepsText[resource] ||
		s.admit.Judges.MayMatch(resource, operation)
}

// patchesMain reports whether a request is an apply to a main resource, or a JSON patch to one
// that is there, with nothing out of the ordinary asked for.
func patchesMain(call api.Request) bool {
	options := metav1.PatchOptions{FieldManager: call.Manager, FieldValidation: call.FieldValidation}
	if call.Verb == api.Apply || call.Force {
		options.Force = &call.Force
	}
	patch := types.ApplyYAMLPatchType
	switch call.Verb {
	case api.Apply:
	case api.JSONPatch:
		patch = types.JSONPatchType
	default:
		return false
	}
	creates := call.Live == nil
	if creates && (call.Verb != api.Apply || faithful.Allocates(call.Kind.GroupKind())) {
		return false
	}
	if call.Subresource != "" || call.DryRun != "" || len(call.Body) > exchange.MaxRequestBytes ||
		call.MediaType != "" && call.MediaType != string(patch) {
		return false
	}
	return len(validation.ValidatePatchOptions(&options, patch)) == 0
}

// asksClock are the resources with strategies, defaults or validation that read the clock.
var asksClock = map[schema.GroupResource]bool{
	{Group: "certificates.k8s.io", Resource: "certificatesigningrequests"}: true,
	{Group: "certificates.k8s.io", Resource: "podcertificaterequests"}:     true,
	{Group: "resource.k8s.io", Resource: "devicetaintrules"}:               true,
	{Group: "resource.k8s.io", Resource: "resourceslices"}:                 true,
}

// Owned is a set without what the strategy lets no manager own.
func (e *Endpoint) Owned(set *fieldpath.Set) *fieldpath.Set {
	filter := e.resets[fieldpath.APIVersion(e.scope.Kind.GroupVersion().String())]
	if filter == nil {
		return set
	}
	return filter.Filter(set)
}

// Form is an object at the version of the request, with defaults, the tree that it was
// made of, and its internal form once that is known. The zero Form is none.
type Form struct {
	tree             map[string]any
	object, internal runtime.Object
}

// Read makes an object of a tree as decoding its text would. The object may share memory
// with the tree, and with another object, where both trees are one.
func (e *Endpoint) Read(tree map[string]any, beside Form) (Form, error) {
	object, err := e.versioned(tree, beside)
	if err != nil {
		return Form{}, err
	}
	e.scope.Defaulter.Default(object)
	return Form{tree: tree, object: object}, nil
}

// Internal is the internal form of an object, which may share memory with it.
func (e *Endpoint) Internal(f *Form) (runtime.Object, error) {
	var err error
	f.internal, err = e.scope.UnsafeConvertor.ConvertToVersion(f.object, e.scope.HubGroupVersion)
	return f.internal, err
}

// versioned makes the object of a tree at the version of the request.
func (e *Endpoint) versioned(tree map[string]any, beside Form) (runtime.Object, error) {
	object, err := e.scope.Creater.New(e.scope.Kind)
	if err != nil {
		return nil, err
	}
	if beside.object != nil && gotree.ReadLike(tree, object, beside.tree, beside.object) ||
		beside.object == nil && gotree.Read(tree, object) {
		object.GetObjectKind().SetGroupVersionKind(e.scope.Kind)
		return object, nil
	}
	return e.scope.UnsafeConvertor.ConvertToVersion(&unstructured.Unstructured{Object: tree}, e.scope.Kind.GroupVersion())
}

// external is an internal object at the version of the request, which may share memory
// with it.
func (e *Endpoint) external(object runtime.Object) (runtime.Object, error) {
	return e.scope.UnsafeConvertor.ConvertToVersion(object, e.scope.Kind.GroupVersion())
}

// JSON writes an object, in its internal form or not, at the version of the request.
func (e *Endpoint) JSON(object runtime.Object) ([]byte, error) { return encodeVersion(e.scope, object) }

// The unions among the types of definitions (apiextensions, v1/marshal.go). Schemas nest
// through them at any depth; as text, each level would be read again.
func init() {
	gotree.Joins[apiextensionsv1.JSONSchemaPropsOrArray](gotree.Union{Object: "Schema", List: "JSONSchemas"})
	gotree.Joins[apiextensionsv1.JSONSchemaPropsOrStringArray](gotree.Union{Object: "Schema", List: "Property"})
	gotree.Joins[apiextensionsv1.JSONSchemaPropsOrBool](gotree.Union{Object: "Schema", Flag: "Allows"})
}
