package fastapply

import (
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ssactl/ssactl/internal/document/plainyaml"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// apply collects what is known of one.
type apply struct {
	call     api.Request
	endpoint *server.Endpoint
	kind     *kind
	// live is the live object as given, and bare is it without its entries; config is the
	// applied configuration.
	live, bare, config map[string]any
	// owned are the texts of what the entries of the live object own.
	owned [][]byte
	// lists says whether one of the objects has empty lists.
	lists   server.Lists
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

// read decodes both objects; false where they may be read in more ways than one.
// Only plain YAML is sure to read alike here and in the server, and to repeat no key.
func (a *apply) read() bool {
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
	live, err := a.call.Trees.Of(a.call.Live)
	if err != nil || !live.Distinct {
		return false
	}
	a.config, a.live, a.owned = config.Object, live.Object, live.Owned
	a.lists = server.Lists(config.Filled && live.Filled)
	return true
}

// identified reports whether both objects are the one that the request names. What
// the configuration says of name and namespace is laid over the live object's: no
// update may change them, so that others are left to the full path.
func (a *apply) identified() bool {
	apiVersion, kind := a.call.Kind.ToAPIVersionAndKind()
	metadata, _ := a.live["metadata"].(map[string]any)
	namespace, has := metadata["namespace"].(string)
	return a.live["apiVersion"] == apiVersion && a.live["kind"] == kind &&
		a.config["apiVersion"] == apiVersion && a.config["kind"] == kind &&
		metadata["name"] == a.call.Name && a.call.Name != "" &&
		has == (a.call.Namespace != "") && namespace == a.call.Namespace
}

// ordinary reports whether the metadata are those of an object that lives on,
// and whether the configuration asks for nothing special of them.
func (a *apply) ordinary() bool {
	metadata, _ := a.live["metadata"].(map[string]any)
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
	applied, ok := a.config["metadata"].(map[string]any)
	if !ok || a.call.Manager == "kubectl" && (lastApplied(metadata) || lastApplied(applied)) {
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

// lastApplied reports whether there is the annotation of client-side apply, which
// the field manager keeps in step for kubectl.
func lastApplied(metadata map[string]any) bool {
	annotations, _ := metadata["annotations"].(map[string]any)
	_, has := annotations["kubectl.kubernetes.io/last-applied-configuration"]
	return has
}
