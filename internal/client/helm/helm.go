// Package helm is the client helm upgrade --install: its release and what the deployed revision has
// (release.go, unknown.go), what it refuses before it sends anything (build.go), the order of its phases
// (order.go), and what it sends for a file of crds/ (crds.go), a hook (hooks.go) and any other object
// (update.go).
package helm

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// The metadata that Helm adds.
const (
	managedByLabel = "app.kubernetes.io/managed-by"
	resourcePolicy = "helm.sh/resource-policy"
)

// helm is an install, or an upgrade of a release.
type helm struct {
	*client.Client
	client.Settings
	// deployed is the revision that is upgraded; nil for an install. last is the newest.
	deployed, last *release
	// uninstalled: the last revision says that the release is.
	uninstalled bool
	serverSide  bool
	// manifest are the objects of the deployed revision in their order, old the same by
	// their keys.
	manifest []map[string]any
	old      map[client.Key]map[string]any
	// adopts: an install finds objects of its own. absent are the objects that are not live.
	adopts bool
	absent map[client.Key]bool
	// crds are the manifests of crds/, served the kinds that an install has of them.
	crds   map[client.Key]bool
	served map[schema.GroupKind]bool
	// carrier is the hook that has the refusal of a run without an object to update.
	carrier client.Key
	// others are the live objects of the release that no manifest names.
	others []string
	// writesMore: the run writes to others than those that it is refused for.
	writesMore bool
	// unknown says that the manifest of the deployed revision is not known, and what that
	// leaves open; empty where it is known.
	unknown string
	// end is where the run ends.
	end helmEnd
}

// New is helm upgrade --install (pkg/action/upgrade.go and install.go, and
// pkg/kube/client.go).
func New(version string, s client.Settings) (*client.Client, error) {
	c := client.Of(about.Helm, version, s)
	c.Stops = true
	h := &helm{Client: c, Settings: s, old: map[client.Key]map[string]any{}}
	if err := h.find(); err != nil {
		return nil, err
	}
	h.serverSide = h.method()
	c.Force, c.ClientSide = h.serverSide && s.ForceConflicts, !h.serverSide
	h.end = helmEnd{phase: finished}
	c.Behave(client.Behavior{
		Send: h.apply, Plan: h.check, Sort: h.inOrder, Doubts: h.doubts, Hook: h.event, Owns: h.keeps,
		After: h.afterwards,
	})
	c.Prunes, c.Nameless = h.prunes, true
	c.Applied = func(key client.Key) map[string]any { return h.old[key] }
	return c, nil
}

// method is how the objects are applied.
func (h *helm) method() bool {
	switch {
	case h.Version == "3" || h.ServerSide == "false":
		return false
	case h.ServerSide == "true" || h.last == nil:
		return true
	}
	return !h.last.clientSide()
}

// check finds what Helm refuses before it writes anything, objects that exist and are of
// no or of another release, and else where the run ends.
func (h *helm) check(ctx context.Context, server api.Server, writes []engine.Write) {
	h.guess(writes)
	h.findCrds(writes)
	h.findUnknown(writes)
	if h.crdsFail(ctx, server, writes) {
		return
	}
	h.absent = map[client.Key]bool{}
	for _, w := range writes {
		h.absent[client.KeyOf(w)] = client.Live(w) == nil
	}
	removed := h.readDeployed(server)
	refused := h.refuse(server, writes)
	if len(refused) == 0 && removed.Message != "" && len(writes) > 0 {
		refused = []client.Key{client.KeyOf(writes[0])}
		h.Stopped[refused[0]] = removed
	}
	if len(refused) > 0 {
		h.stopOthers(writes, refused[0])
		return
	}
	h.adopts = h.adopts || slices.ContainsFunc(writes, h.finds)
	if h.CreateNamespace && h.deployed == nil {
		h.CreatesNamespace(h.Namespace, map[string]any{"labels": map[string]any{"name": h.Namespace}}, writes)
	}
	h.findEnd(ctx, server, writes)
}

// stopOthers has the objects that are not refused wait for one that is.
func (h *helm) stopOthers(writes []engine.Write, refused client.Key) {
	for _, w := range writes {
		key := client.KeyOf(w)
		if _, is := h.Stopped[key]; is || h.crds[key] {
			continue
		}
		h.Stopped[key] = client.Stop{Notice: fmt.Sprintf(
			"not applied: %s %s is refused, and with it the %s", refused.Kind, refused.Name,
			h.what("install", "upgrade"),
		)}
	}
}

// finds reports whether an install finds an object live that it would create.
func (h *helm) finds(w engine.Write) bool {
	key := client.KeyOf(w)
	_, stopped := h.Stopped[key]
	return !stopped && !h.crds[key] && client.Live(w) != nil && h.deployed == nil &&
		!h.isHook(w, client.Manifest(w))
}

// methods are the ways in which Helm applies.
var methods = map[bool]string{true: "server-side", false: "client-side"}

// what is one word for an install and another one for an upgrade.
func (h *helm) what(install, upgrade string) string {
	if h.deployed == nil {
		return install
	}
	return upgrade
}

// doubts say that the manifest before is not known, and that Helm takes back what it wrote.
func (h *helm) doubts(w engine.Write) (out []report.Caveat) {
	known := client.Live(w) == nil && len(h.others) == 0
	if h.unknown != "" && !known && !h.crds[client.KeyOf(w)] && !h.isHook(w, client.Manifest(w)) {
		out = append(out, report.Caveat{Kind: api.Input, Rule: report.RuleNoRelease, Message: h.unknown})
	}
	if h.RollbackOnFailure && h.end.phase < finished && h.end.phase > crdFiles {
		out = append(
			out,
			report.Caveat{
				Kind:    api.Input,
				Message: "The run is refused, and Helm takes back what it wrote (--rollback-on-failure): that is not simulated.",
			},
		)
	}
	return out
}

// knowsFormer reports whether it is known what Helm compares the manifests with.
func (h *helm) knowsFormer() bool {
	return h.uninstalled || h.deployed == nil && h.TakeOwnership || h.deployed != nil && h.deployed.Manifest != ""
}

// prunes reports whether an upgrade deletes a live object.
func (h *helm) prunes(key client.Key, object func() map[string]any) (string, bool) {
	if h.old[key] == nil {
		return "", false
	}
	return "Background", objects.Annotations(object())[resourcePolicy] != "keep"
}
