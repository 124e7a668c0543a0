package argocd

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
)

// check finds the application of the objects, and which of them fail the client-side dry
// run, which ends the sync.
func (a *argoCD) check(ctx context.Context, server api.Server, writes []engine.Write) {
	a.fails, a.pruned, a.waiting = false, map[client.Key]bool{}, map[client.Key]string{}
	a.phases = nil
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
		manifest := client.Manifest(w)
		if _, runs := stepOf(manifest); !runs && !objects.HasOption(manifest, syncHook, "SyncFail") {
			continue
		}
		if engine.Unserved(server, w.Kind) != "" {
			missing = append(missing, w)
		} else if err := a.dryRun(ctx, server, w, manifest); dry && err != nil {
			a.Stopped[client.KeyOf(w)] = client.Stop{Message: "client-side dry run: " + err.Error()}
		}
	}
	missing = slices.DeleteFunc(missing, func(w engine.Write) bool { return a.skipsMissing(w, writes) })
	if len(a.Stopped)+len(missing) == 0 {
		a.phases = map[client.Key]int{}
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
		_, fails := a.Stopped[client.KeyOf(w)]
		if !fails && !slices.ContainsFunc(missing, func(m engine.Write) bool { return client.KeyOf(m) == client.KeyOf(w) }) {
			a.Stopped[client.KeyOf(w)] = client.Stop{Notice: why}
		}
	}
}

// skipsMissing reports whether a sync goes on where the server does not serve the kind of an
// object (gitops-engine, pkg/sync/sync_context.go, getSyncTasks).
func (a *argoCD) skipsMissing(w engine.Write, writes []engine.Write) bool {
	const skip = "SkipDryRunOnMissingResource=true"
	return objects.HasOption(client.Manifest(w), syncOptions, skip) || slices.Contains(a.options, skip) ||
		slices.ContainsFunc(writes, func(other engine.Write) bool {
			m := client.Manifest(other)
			return other.Kind.Kind == "CustomResourceDefinition" && objects.Text(m, "spec", "group") == w.Kind.Group &&
				objects.Text(m, "spec", "names", "kind") == w.Kind.Kind
		})
}

// dryRun is kubectl apply --dry-run=client, which comes first also where the sync applies
// server-side. It changes the manifest.
func (a *argoCD) dryRun(ctx context.Context, server api.Server, w engine.Write, manifest map[string]any) error {
	live := client.Live(w)
	w.LiveObject = live
	if err := client.Undecodable(w); err != nil {
		return err
	}
	if manifest == nil || a.replace || eitherOption(manifest, live, "Replace=true") {
		return nil
	}
	// What is not known of it is said of the apply.
	_, _ = a.respect(manifest, live)
	a.tracked(manifest, w)
	if isRBAC(w) {
		if _, _, err := client.Reconciled(w.Kind, manifest, live); err != nil {
			return err
		}
	}
	if live == nil {
		return nil
	}
	at, err := engine.LiveAt(ctx, server, w, w.Kind)
	if err != nil {
		// Argo CD has a server that gives it at the version, and goes on.
		a.Refuses(w, a.Simulate(ctx, server, w))
		return nil
	}
	return client.Unpatchable(w.Kind, client.LastManifest(live), manifest, at)
}
