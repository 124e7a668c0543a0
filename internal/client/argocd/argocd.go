// Package argocd is the client Argo CD, a sync of an Application: what fails its client-side dry run
// (check.go), the phases and waves (order.go, prune.go), what it sends for one object (apply.go, hooks.go),
// and what it leaves out or adds (ignored.go, tracking.go, namespace.go).
package argocd

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/server/api"
)

// The annotations of Argo CD.
const (
	syncOptions = "argocd.argoproj.io/sync-options"
	// argoAgent is the user agent of the controller.
	argoAgent = "argocd-application-controller"
)

// argoCD is a sync of an application.
type argoCD struct {
	*client.Client
	app  map[string]any
	name string
	// names are the applications of the objects, by how many say so.
	names map[string]int
	// namespace is that of the destination; given is the namespace of the command line.
	// guesses: no input says the destination.
	namespace, given string
	guesses          bool
	// ofNamespace is what there is to say of the Namespace of the destination.
	ofNamespace string
	// installation is that of Argo CD, where live objects say it.
	installation string
	// options are the sync options of the Application.
	options    []string
	serverSide bool
	replace    bool
	force      bool
	prune      bool
	// migrates is the manager whose entries are moved first; empty for none.
	migrates string
	ignored  []ignoredDifference
	// disguise is that of Settings.
	disguise api.Disguise
	// fails: an object is refused.
	fails bool
	// phases counts, of the objects that the sync comes to, the phases in which it does; nil before it is known.
	phases map[client.Key]int
	// tracks: live objects say which application they are of.
	tracks bool
	// pruned are the live objects that the sync deletes; waiting are those for which it
	// waits, with its words.
	pruned  map[client.Key]bool
	waiting map[client.Key]string
}

// New is a sync of Argo CD (gitops-engine, pkg/sync/sync_context.go, applyObject,
// and pkg/utils/kube/resource_ops.go). Without an Application it applies server-side.
func New(version string, s client.Settings) (*client.Client, error) {
	c := client.Of(about.ArgoCD, version, s)
	a := &argoCD{
		Client:     c,
		serverSide: true,
		prune:      s.Prune,
		migrates:   client.ClientSideManager,
		given:      s.Namespace,
		disguise:   s.Disguise,
	}
	app := c.Choose(s, about.Applications, client.Owner{Of: applicationOf, Names: isApplication})
	if app != nil {
		if err := a.read(app); err != nil {
			return nil, err
		}
	}
	switch {
	case s.ServerSide == "true":
		a.serverSide = true
	case s.ServerSide == "false":
		a.serverSide = false
	case app == nil:
		c.Assumes = "ServerSideApply=true"
	}
	if app == nil && !s.Prune {
		c.Decides = a.decides
	}
	c.Force, c.ClientSide = a.serverSide, !a.serverSide
	b := client.Behavior{
		Send: a.apply, Plan: a.check, Sort: a.inOrder, Creating: a.creates, Doubts: a.doubts, Hook: a.event,
	}
	if app != nil {
		b.Foreign = a.foreignTo
	}
	c.Behave(b)
	c.Prunes, c.NameOf = a.prunes, nameOfHook
	c.Waits = func(key client.Key) string { return a.waiting[key] }
	return c, nil
}

// read takes the settings of an Application.
func (a *argoCD) read(app map[string]any) error {
	a.app, a.name, a.namespace = app, objects.Text(
		app,
		"metadata",
		"name",
	), objects.Text(
		app,
		"spec",
		"destination",
		"namespace",
	)
	a.options = objects.Texts(objects.List(app, "spec", "syncPolicy", "syncOptions"))
	has := func(option string) bool { return slices.Contains(a.options, option) }
	a.serverSide = has("ServerSideApply=true")
	a.replace, a.force = has("Replace=true"), has("Force=true")
	a.prune = a.prune || objects.Truth(app, "spec", "syncPolicy", "automated", "prune")
	a.migrates = cmp.Or(objects.Annotations(app)[client.MigrationManager], a.migrates)
	if has("ClientSideApplyMigration=false") {
		a.migrates = ""
	}
	if !has("RespectIgnoreDifferences=true") {
		return nil
	}
	var err error
	a.ignored, err = ignoredDifferences(app)
	return err
}

// applicationOf is the application that a live object says that it is of. Helm charts set
// the label, too.
func applicationOf(live map[string]any) (name string, certain bool) {
	if id := trackedBy(live); id != "" {
		return id, true
	}
	return objects.Labels(live)[trackingLabel], false
}

// isApplication reports whether an object calls an Application its own: by its name, and
// outside of the namespace of Argo CD by both (argo-cd, util/argo, InstanceName).
func isApplication(name string, app *unstructured.Unstructured) bool {
	return name == app.GetName() || name == app.GetNamespace()+"_"+app.GetName()
}

// foreignTo is the other application that a live object is of; empty for none.
func (a *argoCD) foreignTo(live map[string]any) string {
	id := trackedBy(live)
	if id == "" || isApplication(id, &unstructured.Unstructured{Object: a.app}) {
		return ""
	}
	return id
}
