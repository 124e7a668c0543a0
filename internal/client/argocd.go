package client

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// The annotations of Argo CD.
const (
	syncOptions      = "argocd.argoproj.io/sync-options"
	migrationManager = "argocd.argoproj.io/client-side-apply-migration-manager"
	// argoAgent is the user agent of the controller.
	argoAgent = "argocd-application-controller"
)

// argoCD is a sync of an application.
type argoCD struct {
	*Client
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
	// tracks: live objects say which application they are of.
	tracks bool
	// pruned are the live objects that the sync deletes; waiting are those for which it
	// waits, with its words.
	pruned  map[Key]bool
	waiting map[Key]string
}

// makeArgoCD is a sync of Argo CD (gitops-engine, pkg/sync/sync_context.go, applyObject,
// and pkg/utils/kube/resource_ops.go). Without an Application it applies server-side.
func makeArgoCD(c *Client, s Settings) error {
	a := &argoCD{
		Client:     c,
		serverSide: true,
		prune:      s.Prune,
		migrates:   clientSideManager,
		given:      s.Namespace,
		disguise:   s.Disguise,
	}
	app := c.setting(s, applications, owned{applicationOf, isApplication})
	if app != nil {
		if err := a.read(app); err != nil {
			return err
		}
		c.foreign = a.foreignTo
	}
	switch {
	case s.ServerSide == "true":
		a.serverSide = true
	case s.ServerSide == "false":
		a.serverSide = false
	case app == nil:
		c.Assumes = "ServerSideApply=true"
	}
	c.Force, c.ClientSide = a.serverSide, !a.serverSide
	c.send, c.plan, c.Prunes, c.NameOf, c.sorted = a.apply, a.check, a.prunes, nameOfHook, a.inOrder
	c.creating, c.doubt, c.hook = a.creates, a.doubts, a.event
	c.Waits = func(key Key) string { return a.waiting[key] }
	return nil
}

// read takes the settings of an Application.
func (a *argoCD) read(app map[string]any) error {
	a.app, a.name, a.namespace = app, text(app, "metadata", "name"), text(app, "spec", "destination", "namespace")
	a.options = texts(list(app, "spec", "syncPolicy", "syncOptions"))
	has := func(option string) bool { return slices.Contains(a.options, option) }
	a.serverSide = has("ServerSideApply=true")
	a.replace, a.force = has("Replace=true"), has("Force=true")
	a.prune = a.prune || truth(app, "spec", "syncPolicy", "automated", "prune")
	a.migrates = cmp.Or(annotationsOf(app)[migrationManager], a.migrates)
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

// check finds the application of the objects, and which of them fail the client-side dry
// run, which ends the sync.
func (a *argoCD) check(ctx context.Context, server api.Server, writes []engine.Write) {
	a.fails, a.pruned, a.waiting = false, map[Key]bool{}, map[Key]string{}
	a.track(writes)
	if a.failsShared(writes) {
		return
	}
	waves := a.waves(writes)
	// A prune that is to be confirmed ends the dry run.
	waits := func(wave *argoWave) bool { return a.waitsFor(wave) != "" }
	dry := !slices.ContainsFunc(slices.Collect(maps.Values(waves)), waits)
	clear(a.waiting)
	var missing []engine.Write
	for _, w := range writes {
		manifest := manifestOf(w)
		if _, runs := stepOf(manifest); !runs && !option(manifest, syncHook, "SyncFail") {
			continue
		}
		if engine.Unserved(server, w.Kind) != "" {
			missing = append(missing, w)
		} else if err := a.dryRun(ctx, server, w, manifest); dry && err != nil {
			a.stopped[KeyOf(w)] = stopped{message: "client-side dry run: " + err.Error()}
		}
	}
	missing = slices.DeleteFunc(missing, func(w engine.Write) bool { return a.skipsMissing(w, writes) })
	if len(a.stopped)+len(missing) == 0 {
		a.order(ctx, server, waves)
		return
	}
	a.Stops = true
	why := "not applied: the client-side dry run of another object fails, and with it the sync"
	if len(missing) > 0 {
		why = fmt.Sprintf(
			"not applied: %s %s is not served, and with it the sync fails",
			missing[0].Kind.Kind,
			missing[0].Name,
		)
	}
	for _, w := range writes {
		_, fails := a.stopped[KeyOf(w)]
		if !fails && !slices.ContainsFunc(missing, func(m engine.Write) bool { return KeyOf(m) == KeyOf(w) }) {
			a.stopped[KeyOf(w)] = stopped{notice: why}
		}
	}
}

// skipsMissing reports whether a sync goes on where the server does not serve the kind of an
// object (gitops-engine, pkg/sync/sync_context.go, getSyncTasks).
func (a *argoCD) skipsMissing(w engine.Write, writes []engine.Write) bool {
	const skip = "SkipDryRunOnMissingResource=true"
	return option(manifestOf(w), syncOptions, skip) || slices.Contains(a.options, skip) ||
		slices.ContainsFunc(writes, func(other engine.Write) bool {
			m := manifestOf(other)
			return other.Kind.Kind == "CustomResourceDefinition" && text(m, "spec", "group") == w.Kind.Group &&
				text(m, "spec", "names", "kind") == w.Kind.Kind
		})
}

// dryRun is kubectl apply --dry-run=client, which comes first also where the sync applies
// server-side. It changes the manifest.
func (a *argoCD) dryRun(ctx context.Context, server api.Server, w engine.Write, manifest map[string]any) error {
	live := liveOf(w)
	if err := undecodable(w); err != nil {
		return err
	}
	if manifest == nil || a.replace || eitherOption(manifest, live, "Replace=true") {
		return nil
	}
	// What is not known of it is said of the apply.
	_, _ = a.respect(manifest, live)
	a.tracked(manifest, w)
	if isRBAC(w) {
		if _, _, err := reconciled(w.Kind, manifest, live); err != nil {
			return err
		}
	}
	if live == nil {
		return nil
	}
	at, err := engine.LiveAt(ctx, server, w, w.Kind)
	if err != nil {
		// Argo CD has a server that gives it at the version, and goes on.
		a.refuses(w, a.Simulate(ctx, server, w))
		return nil
	}
	return unpatchable(w.Kind, lastApplied(live), manifest, at)
}

func isRBAC(w engine.Write) bool {
	return w.Kind.GroupVersion().String() == "rbac.authorization.k8s.io/v1"
}

// eitherOption reports whether a manifest or its live object has a sync option.
func eitherOption(manifest, live map[string]any, value string) bool {
	return option(manifest, syncOptions, value) || live != nil && option(live, syncOptions, value)
}

// apply sends what a sync does for one object.
func (a *argoCD) apply(r *sequence, w engine.Write) {
	w.FieldValidation, w.Force = "", false
	manifest := manifestOf(w)
	if manifest == nil || engine.Unserved(r.server, w.Kind) != "" {
		r.send(Apply, w)
		return
	}
	if KeyOf(w) == (Key{Kind: "Namespace", Name: a.namespace}) && a.ofNamespace != "" {
		r.notices = append(r.notices, a.ofNamespace)
	}
	live := r.object()
	if isArgoHook(manifest) {
		if !a.startHook(r, w, manifest) {
			return
		}
		live = r.object()
		w = sending(w, manifest)
	}
	replace, force := a.replace ||
		eitherOption(manifest, live, "Replace=true"), a.force ||
		eitherOption(manifest, live, "Force=true")
	serverSide := (a.serverSide || option(manifest, syncOptions, "ServerSideApply=true")) &&
		!option(manifest, syncOptions, "ServerSideApply=false")
	whole := manifest
	if len(a.ignored) > 0 {
		whole = runtime.DeepCopyJSON(manifest)
	}
	respected, unknown := a.respect(manifest, live)
	if respected {
		r.omit(a.omissions(whole, live)...)
	}
	if tracked := a.tracked(manifest, w); respected || tracked {
		w = sending(w, manifest)
	}
	for _, why := range unknown {
		w.Caveats = append(slices.Clip(w.Caveats), report.Caveat{Kind: api.Input, Message: why})
	}
	definition := w.Kind.Kind == "CustomResourceDefinition" || w.Kind.Kind == "Namespace"
	if _, has := annotation(manifest); has && replace && (live == nil || !definition) {
		// kubectl replace and create write the annotation anew where there is one.
		manifest = decoded(annotated(manifest))
	}
	if replace && live != nil && definition {
		// The client-side dry run of the sync is here one of the server.
		tried := replacement(w, manifest, live, true)
		tried.DryRun = true
		if !r.send(DryRun, tried) {
			return
		}
	}
	if serverSide && !a.migrate(r, w, live) && r.last().Outcome.Refused() {
		return
	}
	switch {
	case replace && live == nil:
		w.Manager, w.UserAgent = "", argoAgent
		r.create(w, manifest)
	case replace && force && !definition:
		w.Manager, w.UserAgent = "", argoAgent
		a.recreate(r, w, manifest)
	case replace:
		if definition && slices.ContainsFunc(r.steps, isMove) {
			// Its version is that of before the entries moved.
			live = map[string]any{"metadata": map[string]any{"resourceVersion": "1"}}
		} else {
			live = r.object()
		}
		r.send(Replace, replacement(w, manifest, live, definition))
	case serverSide && force:
		r.stop(Apply, w, "error validating options: --force cannot be used with --server-side")
	case serverSide:
		w.Force = true
		r.kubectlApply(w)
	default:
		a.clientSide(r, w, manifest, force)
	}
	if isArgoHook(manifest) {
		a.endHook(r, w, manifest)
	}
}

// clientSide is kubectl auth reconcile of RBAC, and kubectl apply of all.
func (a *argoCD) clientSide(r *sequence, w engine.Write, manifest map[string]any, force bool) {
	before := r.object()
	if isRBAC(w) {
		auth := w
		auth.Manager, auth.UserAgent = "", argoAgent
		if !r.reconcileRBAC(auth, manifest) {
			return
		}
		before = r.object()
	}
	if r.clientSideApply(w) || !force || before == nil || !mayRecreate(r.last()) {
		return
	}
	if !a.recreate(r, w, decoded(annotated(manifest))) && r.left == nil {
		// kubectl puts the object back.
		unstructured.RemoveNestedField(before, "metadata", "resourceVersion")
		r.try(Create, asCreate(w, before))
	}
}

// migrate moves the entries of the client-side manager. Where the server refuses, the sync
// of the object ends.
func (a *argoCD) migrate(r *sequence, w engine.Write, live map[string]any) bool {
	updates := func(e metav1.ManagedFieldsEntry) bool {
		return e.Manager == a.migrates && e.Operation == metav1.ManagedFieldsOperationUpdate
	}
	if a.migrates == "" || live == nil || !slices.ContainsFunc(entriesOf(live), updates) {
		return true
	}
	return r.moveEntries(w, []string{a.migrates}, func(request Request, patch engine.Write) bool {
		patch.Manager, patch.UserAgent = "", argoAgent
		return r.send(request, patch)
	})
}

// replacement is the PUT of a manifest: of definitions and namespaces on the version of the
// live object, else on that of the manifest where it has one.
func replacement(w engine.Write, manifest, live map[string]any, definition bool) engine.Write {
	w.Verb, w.Force, w.Manager, w.UserAgent = api.Update, false, "", argoAgent
	if version := text(live, "metadata", "resourceVersion"); version != "" &&
		(definition || text(manifest, "metadata", "resourceVersion") == "") {
		manifest = runtime.DeepCopyJSON(manifest)
		_ = unstructured.SetNestedField(manifest, version, "metadata", "resourceVersion")
	}
	return sending(w, manifest)
}

// recreate deletes the object and creates it; false where that is refused.
func (a *argoCD) recreate(r *sequence, w engine.Write, object map[string]any) bool {
	if !r.delete(w, "Background") {
		return false
	}
	r.retry()
	return r.create(w, object)
}

// applicationOf is the application that a live object says that it is of. Helm charts set
// the label, too.
func applicationOf(live map[string]any) (name string, certain bool) {
	if id := trackedBy(live); id != "" {
		return id, true
	}
	return labelsOf(live)[trackingLabel], false
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
