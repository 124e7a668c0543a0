package fastapply

import (
	"context"
	"strconv"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/document/plainyaml"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/pool"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Server is a server whose plain applies are answered here. It is safe for concurrent use.
type Server struct {
	*server.Server
	kinds sync.Map // of schema.GroupVersionKind to *kind
}

// Around gives a server that answers as the given one does, and plain applies faster.
func Around(s *server.Server) *Server { return &Server{Server: s} }

type kind struct {
	merge    typed.ParseableType
	root     *mergeType
	sets     knownSets
	restored restored
}

func (s *Server) kind(gvk schema.GroupVersionKind) *kind {
	k, ok := s.kinds.Load(gvk)
	if !ok {
		merge := s.Types(gvk).ParseableType
		k, _ = s.kinds.LoadOrStore(gvk, &kind{merge: merge, root: mergeTypeOf(merge)})
	}
	return k.(*kind)
}

// Define replaces a CustomResourceDefinition. No call may run meanwhile.
func (s *Server) Define(crd []byte) error {
	s.kinds.Clear()
	return s.Server.Define(crd)
}

// Do answers one call.
func (s *Server) Do(ctx context.Context, call api.Request) (api.Response, error) {
	if response, ok := s.plain(ctx, call); ok {
		return response, nil
	}
	return s.Server.Do(ctx, call)
}

// limit is the processor time of one plain apply, which takes less than a millisecond
// but for hostile values: those are left to the server, which has its own limit.
const limit = 5 * time.Second

// plain answers a plain apply; false for all others, for a panic, and for what takes
// too long.
func (s *Server) plain(ctx context.Context, call api.Request) (api.Response, bool) {
	e, ok := s.Endpoint(call)
	if !ok {
		return api.Response{}, false
	}
	ctx, end := pool.Limited(ctx, limit)
	defer end()
	var response api.Response
	var plain bool
	done, err := guard.Value(func() (bool, error) {
		return pool.Within(ctx, func() { response, plain = s.answer(ctx, e, call) }), nil
	})
	if !done || err != nil {
		return api.Response{}, false
	}
	return response, plain
}

func (s *Server) answer(ctx context.Context, e *server.Endpoint, call api.Request) (api.Response, bool) {
	a := apply{call: call, endpoint: e, kind: s.kind(call.Kind)}
	if call.Verb == api.JSONPatch {
		return a.move(ctx)
	}
	if !a.readConfig() || !a.configIdentified() || !a.configOrdinary() {
		return api.Response{}, false
	}
	if call.Live == nil {
		return a.create(ctx)
	}
	if !a.readLive() || !a.liveIdentified() || !a.liveOrdinary() {
		return api.Response{}, false
	}
	if !a.readEntries() {
		return api.Response{}, false
	}
	var ok bool
	if a.overlay, ok = newOverlay(a.kind.root, a.config, a.bare, a.last); !ok || !a.prune() {
		return api.Response{}, false
	}
	return a.update(ctx)
}

type apply struct {
	call     api.Request
	endpoint *server.Endpoint
	kind     *kind
	// live is the live object as given, and bare is it without its entries; config is the
	// applied configuration.
	live, bare, config map[string]any
	// owned are the texts of what the entries of the live object own.
	owned [][]byte
	// filled says that none of the objects has an empty list.
	filled  bool
	overlay *overlay
	// before are the managed fields entries of the live object, and sets what they own.
	before []metav1.ManagedFieldsEntry
	sets   []*knownSet
	// own is the entry of the manager, and last what it applied last; nil where it
	// never did.
	own  *metav1.ManagedFieldsEntry
	last *knownSet
	// repeats: the manager applies again just what it owns, and changes nothing.
	repeats bool
}

// readConfig decodes the configuration; false where it may be read in more ways than one.
// Only plain YAML is sure to read alike here and in the server, and to repeat no key.
func (a *apply) readConfig() bool {
	text := a.call.JSON
	if text == nil {
		var ok bool
		if text, ok = plainyaml.ToJSON(a.call.Body); !ok {
			return false
		}
	}
	config, err := a.call.Trees.Of(text)
	if err != nil {
		return false
	}
	a.config, a.filled = config.Object, config.Filled
	return true
}

// readLive decodes the live object; false as that of readConfig.
func (a *apply) readLive() bool {
	live, err := a.call.Trees.Of(a.call.Live)
	if err != nil || !live.Distinct {
		return false
	}
	a.live, a.owned, a.filled = live.Object, live.Owned, a.filled && live.Filled
	return true
}

// configIdentified reports whether the configuration is of the kind that the request names.
func (a *apply) configIdentified() bool {
	apiVersion, kind := a.call.Kind.ToAPIVersionAndKind()
	return a.config["apiVersion"] == apiVersion && a.config["kind"] == kind
}

// liveIdentified reports whether the live object is the one that the request names. No update
// may change names, so others are left to the full path.
func (a *apply) liveIdentified() bool {
	apiVersion, kind := a.call.Kind.ToAPIVersionAndKind()
	metadata, _ := a.live["metadata"].(map[string]any)
	namespace, has := metadata["namespace"].(string)
	return a.live["apiVersion"] == apiVersion && a.live["kind"] == kind &&
		metadata["name"] == a.call.Name && a.call.Name != "" &&
		has == (a.call.Namespace != "") && namespace == a.call.Namespace
}

// configOrdinary reports whether the configuration asks for nothing special of the metadata.
func (a *apply) configOrdinary() bool {
	applied, ok := a.config["metadata"].(map[string]any)
	if !ok || a.call.Manager == "kubectl" && lastApplied(applied) {
		return false
	}
	for key := range applied {
		switch key {
		case "name", "namespace", "labels", "annotations":
		default:
			return false
		}
	}
	_, status := a.config["status"]
	return !status
}

// liveOrdinary reports whether the metadata are those of an object that lives on.
func (a *apply) liveOrdinary() bool {
	metadata, _ := a.live["metadata"].(map[string]any)
	return livesOn(metadata) && (a.call.Manager != "kubectl" || !lastApplied(metadata))
}

// livesOn reports whether metadata are those of a stored object that stays, with nobody whose
// deletion it would follow.
func livesOn(metadata map[string]any) bool {
	if uid, _ := metadata["uid"].(string); uid == "" {
		return false
	}
	version, _ := metadata["resourceVersion"].(string)
	if revision, err := strconv.ParseUint(version, 10, 64); err != nil || revision == 0 {
		return false
	}
	for _, key := range []string{"deletionTimestamp", "ownerReferences", "selfLink"} {
		if _, has := metadata[key]; has {
			return false
		}
	}
	return true
}

// lastApplied reports whether there is the annotation of client-side apply, which
// the field manager keeps in step for kubectl.
func lastApplied(metadata map[string]any) bool {
	annotations, _ := metadata["annotations"].(map[string]any)
	_, has := annotations["kubectl.kubernetes.io/last-applied-configuration"]
	return has
}
