package server

import (
	"context"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/ssactl/ssactl/internal/input/plainyaml"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/pool"
	"github.com/ssactl/ssactl/internal/server/api"
)

// plain answers an apply whose merge is plain to see, without upstream's field
// manager, which is most of the work. It is false for all others, and where a
// proof would be long: those take the full path, as do all refusals and
// warnings.
//
// What a server does to such an apply (upstream's names; merge is
// structured-merge-diff's):
//
//	merge Updater.Apply    the configuration lays leaves, fields and items over
//	                       the live object: see overlay
//	Updater.prune          the manager applies all that it applied last: each
//	                       item that pruning takes out is owned, and put back
//	Updater.update         all entries are at the version of the request, so
//	                       that there is one comparison, and nothing is
//	                       removed: others that own what it tells lose that by
//	                       force, and else the full path tells the conflict
//	reconcile…Changes      no entry disagrees with the schema
//	FieldManager           the other entries come out as they went in: known
//	                       types, not empty, in order; the manager's own has
//	                       the time of now where a value changed
//	lastApplied…           does nothing but for the manager "kubectl"
//	Store.Update           is run, with conversion, defaults, validation and
//	                       admission
//
// The live object must be stored as the caller gave it, since the merge is with
// the stored one.
func (s *Server) plain(ctx context.Context, call api.Request) (api.Response, bool) {
	e := s.plainEndpoint(call)
	if e == nil {
		return api.Response{}, false
	}
	p := plainApply{call: call, config: call.BodyTree, live: call.LiveTree}
	if !p.read() {
		return api.Response{}, false
	}
	merge, ok := s.types.find(call.Kind)
	if !ok {
		return api.Response{}, false
	}
	if p.overlay, ok = newOverlay(merge, p.config, p.live); !ok {
		return api.Response{}, false
	}
	var response api.Response
	var plain bool
	done, err := guarded(func() (bool, error) {
		return pool.Within(ctx, func() { response, plain = s.update(ctx, e, &p, merge) }), nil
	})
	if !done || err != nil {
		// A panic is left to the full path, which tells it.
		return api.Response{}, false
	}
	return response, plain
}

// plainEndpoint gives the endpoint of an apply that may take this path: to a
// built-in kind's main resource, with nothing out of the ordinary asked for.
func (s *Server) plainEndpoint(call api.Request) *endpoint {
	if s.catalog.path == FullPath || s.types.nullTimes || call.Verb != api.Apply || call.Subresource != "" || call.Live == nil ||
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
	resource := e.scope.Resource.GroupResource()
	if !call.Now.IsZero() && asksClock[resource] || keepsText[resource] || s.admit.judges.mayMatch(resource, admission.Update) {
		return nil
	}
	if _, ok := e.storage.(rest.Patcher); !ok || len(e.warnings) > 0 || unseen(call) != nil {
		return nil
	}
	return e
}

// asksClock are the resources whose strategies or validation ask what time it
// is, beside that of managed fields entries.
var asksClock = map[schema.GroupResource]bool{
	{Group: "certificates.k8s.io", Resource: "certificatesigningrequests"}: true,
	{Group: "certificates.k8s.io", Resource: "podcertificaterequests"}:     true,
	{Group: "resource.k8s.io", Resource: "devicetaintrules"}:               true,
}

// plainApply collects what is known of such an apply.
type plainApply struct {
	call api.Request
	// live is the live object as given; config the applied configuration.
	live, config map[string]any
	overlay      *overlay
	// revision is that of live.
	revision uint64
	// repeats: the manager applies again just what it owns, and changes nothing.
	repeats bool
	// current is the stored object, and next the one that is to take its place,
	// once the merge is done.
	current, next runtime.Object
}

// read decodes what is not decoded yet, and checks what the trees themselves
// tell.
func (p *plainApply) read() bool {
	if p.config == nil {
		// Only plain YAML is sure to read alike here and in the server, and to
		// repeat no key.
		text, ok := plainyaml.ToJSON(p.call.Body)
		if !ok {
			return false
		}
		var err error
		if p.config, err = jsontree.Decode(text); err != nil {
			return false
		}
	}
	if p.live == nil {
		var distinct bool
		var err error
		if p.live, distinct, err = jsontree.DecodeDistinct(p.call.Live); err != nil || !distinct {
			return false
		}
	}
	return p.identified() && p.ordinary()
}

// identified tells whether both objects are the one that the request names. What
// the configuration says of name and namespace is laid over the live object's: no
// update may change them, so that others are left to the full path.
func (p *plainApply) identified() bool {
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
func (p *plainApply) ordinary() bool {
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
	applied, ok := p.config["metadata"].(map[string]any)
	if !ok || p.call.Manager == "kubectl" && (lastApplied(metadata) || lastApplied(applied)) {
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

// lastApplied tells whether there is the annotation of client-side apply, which
// the field manager keeps in step for kubectl.
func lastApplied(metadata map[string]any) bool {
	annotations, _ := metadata["annotations"].(map[string]any)
	_, has := annotations["kubectl.kubernetes.io/last-applied-configuration"]
	return has
}
