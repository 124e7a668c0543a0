package apiserver

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/apicall"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/plainyaml"
)

// unchanged answers an apply that provably changes nothing, without the field
// manager, whose merge is most of the work. It is false for all others, and
// where a proof would be long: those take the full path.
//
// What a server does to such an apply, and why nothing comes of it (upstream's
// names; merge is structured-merge-diff's):
//
//	merge Updater.Apply    the configuration is contained in the live object,
//	                       items of lists in its order: Merge gives the live
//	                       object
//	Updater.prune          the manager applies exactly what it applied last:
//	                       each item that pruning takes out is owned, and put
//	                       back
//	Updater.update         all entries are at the version of the request, so
//	                       that there is one comparison, of two equal objects:
//	                       no conflict, nothing added or removed
//	reconcile…Changes      no entry disagrees with the schema
//	FieldManager           the entries come out as they went in: known types,
//	                       not empty, in order; times stay, since the object
//	                       is a no-op
//	lastApplied…           does nothing but for the manager "kubectl"
//	Store.Update           is run: it may still default, refuse or warn
//
// The last line is why the storage is asked all the same, for an update to an
// equal object, with validation and admission, and why the answer counts only
// where the object is stored as the caller gave it.
func (s *Server) unchanged(ctx context.Context, call apicall.Request) (apicall.Response, bool) {
	e := s.unchangeable(call)
	if e == nil {
		return apicall.Response{}, false
	}
	p := proof{call: call, live: call.LiveTree}
	if !p.read() {
		return apicall.Response{}, false
	}
	merge, ok := s.types.find(call.Kind)
	if !ok || !p.contained(merge) {
		return apicall.Response{}, false
	}
	done := make(chan apicall.Response, 1)
	go func() {
		defer close(done)
		// A panic is left to the full path, which tells it.
		defer func() { _ = recover() }()
		if response, ok := s.rewrite(ctx, e, &p, merge); ok {
			done <- response
		}
	}()
	select {
	case response, ok := <-done:
		return response, ok
	case <-ctx.Done():
		return apicall.Response{}, false
	}
}

// unchangeable gives the endpoint of an apply that may take this path: to a
// built-in kind's main resource, with nothing out of the ordinary asked for.
func (s *Server) unchangeable(call apicall.Request) *endpoint {
	if s.catalog.path == FullPath || call.Verb != apicall.Apply || call.Subresource != "" || call.Live == nil ||
		call.DryRun != "" || call.MediaType != "" && call.MediaType != string(types.ApplyYAMLPatchType) || len(call.Body) > maxRequestBytes {
		return nil
	}
	options := metav1.PatchOptions{FieldManager: call.Manager, FieldValidation: call.FieldValidation, Force: &call.Force}
	if len(validation.ValidatePatchOptions(&options, types.ApplyYAMLPatchType)) > 0 {
		return nil
	}
	r, err := s.catalog.find(call.Kind)
	if err != nil || r == nil || r.namespaced != (call.Namespace != "") {
		return nil
	}
	e := r.endpoints[""]
	if _, ok := e.storage.(rest.Patcher); !ok || len(e.warnings) > 0 {
		return nil
	}
	return e
}

// proof collects what shows that an apply changes nothing.
type proof struct {
	call apicall.Request
	// live is the live object as given; config the applied configuration.
	live, config map[string]any
	// owned are the field paths of config.
	owned ownedPaths
	// revision is that of live.
	revision uint64
}

// read decodes what is not decoded yet, and checks what the trees themselves
// tell.
func (p *proof) read() bool {
	text, ok := plainyaml.ToJSON(p.call.Body)
	if !ok {
		// Only plain YAML is sure to read alike here and in the server, and to
		// repeat no key.
		return false
	}
	var err error
	if p.config, err = jsontree.Decode(text); err != nil {
		return false
	}
	if p.live == nil {
		if p.live, err = jsontree.Decode(p.call.Live); err != nil {
			return false
		}
	}
	return p.identified() && p.ordinary()
}

// identified tells whether both objects are the one that the request names.
func (p *proof) identified() bool {
	apiVersion, kind := p.call.Kind.ToAPIVersionAndKind()
	metadata, _ := p.live["metadata"].(map[string]any)
	namespace, has := metadata["namespace"].(string)
	return p.live["apiVersion"] == apiVersion && p.live["kind"] == kind &&
		p.config["apiVersion"] == apiVersion && p.config["kind"] == kind &&
		metadata["name"] == p.call.Name && p.call.Name != "" &&
		has == (p.call.Namespace != "") && namespace == p.call.Namespace
}

// ordinary tells whether the metadata are those of an object that lives on,
// and whether the configuration asks for nothing special of them.
func (p *proof) ordinary() bool {
	metadata, _ := p.live["metadata"].(map[string]any)
	if uid, _ := metadata["uid"].(string); uid == "" {
		return false
	}
	version, _ := metadata["resourceVersion"].(string)
	var err error
	if p.revision, err = strconv.ParseUint(version, 10, 64); err != nil || p.revision == 0 {
		return false
	}
	for _, key := range []string{"deletionTimestamp", "ownerReferences", "selfLink"} {
		if _, has := metadata[key]; has {
			return false
		}
	}
	if annotations, _ := metadata["annotations"].(map[string]any); p.call.Manager == "kubectl" {
		if _, has := annotations["kubectl.kubernetes.io/last-applied-configuration"]; has {
			return false
		}
	}
	applied, ok := p.config["metadata"].(map[string]any)
	if !ok {
		return false
	}
	for key := range applied {
		switch key {
		case "name", "namespace", "labels", "annotations":
		default:
			return false
		}
	}
	_, status := p.config["status"]
	return !status
}

var errNotStored = errors.New("there is no such object")

// rewrite updates the live object with itself, and proves from what is stored
// that the manager owns what it applies.
func (s *Server) rewrite(ctx context.Context, e *endpoint, p *proof, merge typed.ParseableType) (apicall.Response, bool) {
	call := p.call
	tx := &transaction{resource: e.scope.Resource.GroupResource(), live: call.Live, revision: p.revision, copies: true}
	record := &admissionRecord{}
	warned := &warnings{}
	ctx = warning.WithWarningRecorder(withAdmissionRecord(withTransaction(ctx, tx), record), warned)
	ctx = request.WithRequestInfo(ctx, requestInfo(call, e.scope.Resource, http.MethodPatch))
	ctx = request.WithNamespace(request.WithUser(ctx, requester), call.Namespace)

	storage := e.storage.(rest.Patcher)
	stored, err := storage.Get(ctx, call.Name, &metav1.GetOptions{})
	if err != nil || !p.owns(stored, e, merge) {
		return apicall.Response{}, false
	}
	options := &metav1.UpdateOptions{FieldManager: call.Manager, FieldValidation: call.FieldValidation}
	options.TypeMeta.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("UpdateOptions"))
	attributes := func(obj, old runtime.Object) admission.Attributes {
		return admission.NewAttributesRecord(obj, old, e.scope.Kind, call.Namespace, call.Name,
			e.scope.Resource, "", admission.Update, options, false, requester)
	}
	same := func(_ context.Context, _, current runtime.Object) (runtime.Object, error) {
		return current.DeepCopyObject(), nil
	}
	admit := func(ctx context.Context, obj, old runtime.Object) (runtime.Object, error) {
		// The handlers have the entries validated again behind it, which all
		// were read already.
		return obj, s.admit.Admit(ctx, attributes(obj, old), e.scope)
	}
	after, created, err := storage.Update(ctx, call.Name, rest.DefaultUpdatedObjectInfo(nil, same, admit),
		func(context.Context, runtime.Object) error { return errNotStored },
		rest.AdmissionToValidateObjectUpdateFunc(s.admit, attributes(nil, nil), e.scope), true, options)
	if err != nil || created || tx.written || warned.any || len(record.changes) > 0 {
		return apicall.Response{}, false
	}
	body, err := encodeVersion(e.scope, after)
	if err != nil || !jsontree.Equal(body, p.live) {
		return apicall.Response{}, false
	}
	return apicall.Response{Code: http.StatusOK, Body: body, Stored: body, Unsimulated: record.absent(), Unchanged: true}, true
}

// warnings notes whether there were any.
type warnings struct{ any bool }

func (w *warnings) AddWarning(string, string) { w.any = true }
